// Command gen flattens patterns.yaml to patterns.json, which the content package
// embeds, so that it links no YAML.
package main

import (
	"bytes"
	"encoding/json"
	"log"
	"os"

	"gopkg.in/yaml.v3"
)

type entry struct {
	ID       string   `json:"id"`
	About    string   `json:"-"`
	Source   string   `json:"-"`
	Literals []string `json:"literals"`
	Match    string   `json:"match"`
	Fold     bool     `json:"fold,omitempty"`
	Around   bool     `json:"around,omitempty"`
	Before   string   `json:"before,omitempty"`
	Value    int      `json:"value,omitempty"`
	Entropy  bool     `json:"entropy,omitempty"`
	Check    string   `json:"check,omitempty"`
	Examples []string `json:"-"`
}

func main() {
	src, err := os.ReadFile("patterns.yaml")
	if err != nil {
		log.Fatal(err)
	}
	var entries []entry
	decoder := yaml.NewDecoder(bytes.NewReader(src))
	decoder.KnownFields(true)
	if err := decoder.Decode(&entries); err != nil {
		log.Fatal(err)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(entries); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("patterns.json", out.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}
