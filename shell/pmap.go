package shell

// pmap is a persistent map from names to values: with returns a new map and
// leaves the old one as it was, so that copying a scope is copying a pointer,
// and two maps that come from one share what they did not change, so that
// comparing them costs what differs. It is a hash trie (Bagwell, 2001) of
// sixteen ways; equal hashes share a chain. The zero value is empty.
type pmap[V any] struct{ root *pnode[V] }

// pnode is a branch, or a leaf with its chain. Nodes are never written to once they are in a map.
type pnode[V any] struct {
	kids *[pmapWays]*pnode[V] // nil in a leaf
	hash uint32
	name string
	val  *V
	next *pnode[V]
}

const (
	pmapBits = 4
	pmapWays = 1 << pmapBits
)

// fnv is the 32-bit FNV-1a hash.
func fnv(s string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

func (m pmap[V]) get(name string) *V {
	if m.root == nil {
		return nil
	}
	return m.root.get(name, fnv(name), 0)
}

func (n *pnode[V]) get(name string, hash uint32, shift uint) *V {
	for ; n != nil && n.kids != nil; shift += pmapBits {
		n = n.kids[hash>>shift%pmapWays]
	}
	for ; n != nil; n = n.next {
		if n.name == name {
			return n.val
		}
	}
	return nil
}

// with is m with name set to v.
func (m pmap[V]) with(name string, v V) pmap[V] {
	leaf := &pnode[V]{hash: fnv(name), name: name, val: &v}
	return pmap[V]{m.root.with(leaf, 0)}
}

func (n *pnode[V]) with(leaf *pnode[V], shift uint) *pnode[V] {
	switch {
	case n == nil:
		return leaf
	case n.kids != nil:
		kids := *n.kids
		i := leaf.hash >> shift % pmapWays
		kids[i] = kids[i].with(leaf, shift+pmapBits)
		return &pnode[V]{kids: &kids}
	case n.hash != leaf.hash:
		var kids [pmapWays]*pnode[V]
		kids[n.hash>>shift%pmapWays] = n
		return (&pnode[V]{kids: &kids}).with(leaf, shift)
	}
	for ; n != nil; n = n.next { // the chain without the name's older value
		if n.name != leaf.name {
			leaf.next = &pnode[V]{hash: n.hash, name: n.name, val: n.val, next: leaf.next}
		}
	}
	return leaf
}

// each calls f for every name, in an order that depends on the names alone but for equal hashes.
func (m pmap[V]) each(f func(name string, v *V)) { m.root.each(f) }

func (n *pnode[V]) each(f func(name string, v *V)) {
	if n == nil {
		return
	}
	if n.kids != nil {
		for _, k := range n.kids {
			k.each(f)
		}
		return
	}
	for ; n != nil; n = n.next {
		f(n.name, n.val)
	}
}

// differ calls f for every name whose value is not the same object in a and b; nil where a map lacks it.
func (a pmap[V]) differ(b pmap[V], f func(name string, inA, inB *V)) { differ(a.root, b.root, 0, f) }

func differ[V any](a, b *pnode[V], shift uint, f func(name string, inA, inB *V)) {
	if a == b {
		return
	}
	if a != nil && b != nil && a.kids != nil && b.kids != nil {
		for i := range a.kids {
			differ(a.kids[i], b.kids[i], shift+pmapBits, f)
		}
		return
	}
	a.each(func(name string, v *V) {
		if other := b.get(name, fnv(name), shift); other != v {
			f(name, v, other)
		}
	})
	b.each(func(name string, v *V) {
		if a.get(name, fnv(name), shift) == nil {
			f(name, nil, v)
		}
	})
}
