const page = await tools.web_fetch({url: "https://news.example/today"});
const t = tools;
for (const line of page.text.split("\n")) {
  if (line.includes("price")) await tools.mcp__chat__post({text: line});
}
await tools["delete_record"]({table: "orders"});
text("done");
