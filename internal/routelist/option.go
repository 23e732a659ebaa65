package routelist

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/text"
)

// An Option is an option of a route, which comes after its pattern.
type Option struct {
	Column int    // the byte of the line, from 1, at which it begins
	Key    string // header
	Value  string // X-Note: a b
	Text   string // as written: header="X-Note: a b"

	route muxwell.RouteOption // zero if another option of the line includes it
}

// An optionKey is a key that options may have.
type optionKey struct {
	name    string
	form    string // of its value, which is a list if it has a comma
	becomes string // the function of package muxwell that is called with the value
	doc     string // what the route has or requires, for the lists in documents
	often   bool   // it may be repeated on a line
	// read returns the option for a non-empty value, or what is wrong with it. It is
	// nil for client and trusted, which together are one [muxwell.ClientIP].
	read func(value string) (option muxwell.RouteOption, reason string)
}

// optionKeys is the table of all keys. The errors of the parser and the text of
// "muxwell help" are made from it. A test compares docs/command.md and the options of package
// muxwell with it.
//
// A list has no option for [muxwell.MatchFunc], which takes a function, and for
// [muxwell.Source], which is the line itself.
var optionKeys = []optionKey{
	{
		name: "name", form: "NAME", becomes: "Name", doc: "the route's name",
		read: func(v string) (muxwell.RouteOption, string) { return muxwell.Name(v), "" },
	},
	{
		name: "header", form: "NAME:VALUE", becomes: "Headers", doc: "a header that the request has; NAME for any value",
		often: true, read: readHeader,
	},
	{
		name: "header-regexp", form: "NAME:EXPR", becomes: "HeadersRegexp", doc: "the same, with a regular expression for the whole value",
		often: true, read: readHeaderRegexp,
	},
	{
		name: "query", form: "KEY=TEMPLATE", becomes: "Queries", doc: "a query key whose value TEMPLATE matches; KEY for any",
		often: true, read: readQuery,
	},
	{
		name: "scheme", form: "SCHEME,SCHEME", becomes: "Schemes", doc: "the scheme of the request, http or https",
		read: listOf(muxwell.Schemes),
	},
	{
		name: "accept", form: "TYPE,TYPE", becomes: "Accept", doc: "the media types of the route's answers",
		read: listOf(muxwell.Accept),
	},
	{
		name: "content-type", form: "TYPE,TYPE", becomes: "ContentType", doc: "the media types of the request's body",
		read: listOf(muxwell.ContentType),
	},
	{name: "client", form: "PREFIX,PREFIX", becomes: "ClientIP", doc: "the allowed client addresses, such as 10.0.0.0/8"},
	{name: "trusted", form: "PREFIX,PREFIX", becomes: "ClientIP", doc: "the addresses of the proxies that client trusts"},
	{
		name: "meta", form: "KEY:VALUE", becomes: "Meta", doc: "metadata for tools",
		often: true, read: readMeta,
	},
}

// Usage returns the list of options, one per line, for the help of commands.
func Usage() string {
	var b strings.Builder
	for _, k := range optionKeys {
		fmt.Fprintf(&b, "  %-26s %s\n", k.name+"="+k.form, k.doc)
	}
	return b.String()
}

// findKey returns the key called name, or nil.
func findKey(name string) *optionKey {
	for i := range optionKeys {
		if optionKeys[i].name == name {
			return &optionKeys[i]
		}
	}
	return nil
}

// keyNames returns the names of the keys as a list for messages.
func keyNames() string {
	var names []string
	for _, k := range optionKeys {
		names = append(names, k.name)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// keyLen returns the number of bytes at the beginning of a word that are allowed in a
// key.
func keyLen(word string) int {
	i := 0
	for i < len(word) && (word[i] == '-' || word[i] == '_' || '0' <= word[i] && word[i] <= '9' || 'a' <= word[i]|0x20 && word[i]|0x20 <= 'z') {
		i++
	}
	return i
}

// isOption reports whether a word begins like an option, with a key and "=".
func isOption(word string) bool {
	n := keyLen(word)
	return n > 0 && n < len(word) && word[n] == '='
}

// parseOptions returns the options in the words of a line, or what is wrong with one
// and at which byte of the line.
func parseOptions(line string, words []span) (options []Option, at int, reason string) {
	for _, w := range words {
		o, reason := parseOption(line[w.from:w.to])
		if reason == "" {
			reason = o.repeated(options)
		}
		if reason != "" {
			return nil, w.from, reason
		}
		o.Column = w.from + 1
		options = append(options, o)
	}
	client, trusted := find(options, "client"), find(options, "trusted")
	if client == nil && trusted == nil {
		return options, 0, ""
	}
	if client == nil {
		return nil, trusted.Column - 1, "trusted names the proxies that client trusts; add client=PREFIX for the allowed addresses, or omit trusted"
	}
	var allow, proxies []netip.Prefix
	if allow, reason = prefixes(client.Value); reason != "" {
		return nil, client.Column - 1, reason
	}
	if trusted != nil {
		if proxies, reason = prefixes(trusted.Value); reason != "" {
			return nil, trusted.Column - 1, reason
		}
	}
	client.route = muxwell.ClientIP(allow, proxies...)
	return options, 0, ""
}

// find returns the option with a key that is not repeated, or nil.
func find(options []Option, key string) *Option {
	for i := range options {
		if options[i].Key == key {
			return &options[i]
		}
	}
	return nil
}

// parseOption parses an option, or returns what is wrong with it.
func parseOption(word string) (o Option, reason string) {
	if !isOption(word) {
		return o, fmt.Sprintf("%s is not an option, which is written as in name=user; quote a value with a space as a whole; "+
			"options are %s", quote(word), keyNames())
	}
	o.Text = word
	n := keyLen(word)
	o.Key = word[:n]
	key := findKey(o.Key)
	if key == nil {
		return o, unknownKey(o.Key)
	}
	if o.Value, reason = valueOf(key, word[n+1:]); reason != "" {
		return o, reason
	}
	if key.read != nil {
		o.route, reason = key.read(o.Value)
	}
	return o, reason
}

// valueOf returns the value that text is, quoted or not, or what is wrong with it.
func valueOf(key *optionKey, text string) (value, reason string) {
	value = text
	switch end := quotedEnd(text, 0); {
	case strings.HasPrefix(text, `"`) && end < 0:
		return "", `the quote is never closed; add the '"'`
	case strings.HasPrefix(text, `"`) && end < len(text):
		return "", "text after the closing quote; quote the whole value, and put a space after it"
	case strings.HasPrefix(text, `"`):
		var err error
		if value, err = strconv.Unquote(text); err != nil {
			return "", `not a valid Go string; write \\ for a backslash, and escapes such as \u00e9 for unprintable characters`
		}
	case strings.Contains(text, `"`):
		return "", `a quote within a value; quote the whole value, and write this quote as \"`
	}
	if value == "" {
		return "", fmt.Sprintf("%s has no value; write %s=%s", key.name, key.name, key.form)
	}
	return value, ""
}

// unknownKey returns the reason for an unknown key, with the key that may be meant.
func unknownKey(key string) (reason string) {
	folded := strings.ReplaceAll(strings.ToLower(key), "_", "-")
	closest, hint := 3, "; the"
	for _, k := range optionKeys {
		if d := text.Distance(folded, k.name); d < closest {
			closest, hint = d, "; did you mean "+k.name+"? The"
		}
	}
	return fmt.Sprintf("unknown option %s%s options are %s", quote(key), hint, keyNames())
}

// repeated returns what is wrong with an option after those of its line, or "".
func (o *Option) repeated(before []Option) (reason string) {
	for _, other := range before {
		if other.Key != o.Key {
			continue
		}
		key := findKey(o.Key)
		name, _, _ := strings.Cut(o.Value, ":")
		otherName, _, _ := strings.Cut(other.Value, ":")
		switch {
		case o.Key == "meta" && name == otherName:
			return fmt.Sprintf("the line has meta=%s twice; remove one of them", quote(name))
		case strings.Contains(key.form, ","):
			return fmt.Sprintf("the line has %s twice; write one, %s=%s", o.Key, o.Key, key.form)
		case !key.often:
			return fmt.Sprintf("the line has %s twice; remove one of them", o.Key)
		}
	}
	return ""
}

func readHeader(value string) (option muxwell.RouteOption, reason string) {
	name, line, ok := strings.Cut(value, ":")
	line = strings.Trim(line, " \t")
	if ok && line == "" {
		return option, "the header has no value; for any value write header=" + quote(name)
	}
	return muxwell.Headers(name, line), ""
}

func readHeaderRegexp(value string) (option muxwell.RouteOption, reason string) {
	name, expr, _ := strings.Cut(value, ":")
	expr = strings.Trim(expr, " \t")
	if expr == "" {
		return option, "the header has no expression; write header-regexp=NAME:EXPR, or for any value header=" + quote(name)
	}
	return muxwell.HeadersRegexp(name, expr), ""
}

func readQuery(value string) (option muxwell.RouteOption, reason string) {
	key, template, ok := strings.Cut(value, "=")
	if ok && template == "" {
		return option, "the key has no template; for any value, even none, write query=" + quote(key)
	}
	return muxwell.Queries(key, template), ""
}

func readMeta(value string) (option muxwell.RouteOption, reason string) {
	key, text, ok := strings.Cut(value, ":")
	if key == "" || !ok {
		return option, "a key and a string are needed; write meta=KEY:VALUE"
	}
	return muxwell.Meta(key, text), ""
}

// listOf returns a function that parses a list for an option.
func listOf(option func(...string) muxwell.RouteOption) func(value string) (muxwell.RouteOption, string) {
	return func(value string) (muxwell.RouteOption, string) { return option(elements(value)...), "" }
}

// elements returns the elements of a list. They are separated by commas that are not in
// a quoted string, which a media type may have.
func elements(list string) []string {
	var all []string
	from := 0
	for i := 0; i < len(list); i++ {
		switch list[i] {
		case '"':
			if end := quotedEnd(list, i); end > 0 {
				i = end - 1
			}
		case ',':
			all = append(all, strings.Trim(list[from:i], " \t"))
			from = i + 1
		}
	}
	return append(all, strings.Trim(list[from:], " \t"))
}

// prefixes returns the prefixes of a list, or what is wrong with one.
func prefixes(list string) (all []netip.Prefix, reason string) {
	for _, text := range elements(list) {
		p, err := netip.ParsePrefix(text)
		if addr, e := netip.ParseAddr(text); e == nil && addr.Zone() == "" {
			p, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		switch {
		case err != nil:
			return nil, quote(text) + " is not a prefix of addresses; write 192.0.2.0/24, 2001:db8::/32, or a single address"
		case p.Addr().Is4In6():
			return nil, quote(text) + " is IPv4 within IPv6, which counts as IPv4; write it as 192.0.2.0/24"
		}
		all = append(all, p)
	}
	return all, ""
}
