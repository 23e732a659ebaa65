// Package installed reads the English documents that are installed on a machine, for tests
// and measurements with real text. They are man pages, .md, .rst and .txt files, and the
// licenses in /usr/share/common-licenses.
package installed

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Limits limit documents. No limit is 0.
type Limits struct {
	// Size is the number of bytes that are taken from the middle of a document, in whole
	// words. Shorter documents are left out.
	Size int
	// Family is the most documents of a family: man pages whose names start with the same
	// word, and other files of one directory.
	Family int
}

// Walk calls visit with the name and the text of each document in directories, in lexical
// order. Names are paths without the first slash. Man pages are converted to text roughly,
// and what does not seem to be English is left out. Walk returns the first error of visit,
// or of reading a directory or a file.
func Walk(dirs []string, limits Limits, visit func(name, text string) error) error {
	w := walker{limits: limits, visit: visit, families: map[string]int{}}
	for _, dir := range dirs {
		if err := filepath.WalkDir(dir, w.file); err != nil {
			return err
		}
	}
	return nil
}

type walker struct {
	limits   Limits
	visit    func(name, text string) error
	families map[string]int // the number of documents of each
}

var (
	manPage = regexp.MustCompile(`/man[1-8]/([0-9A-Za-z]*)[^/]*\.[1-8][a-z]*(\.gz)?$`)
	foreign = regexp.MustCompile(`/man/[^/]+/man[1-8]/`)
	version = regexp.MustCompile(`@v?[^/]*`) // of a module in its cache
)

// file visits the document of a file, if it is one.
func (w *walker) file(name string, entry fs.DirEntry, err error) error {
	if err != nil || !entry.Type().IsRegular() {
		return err
	}
	slashed := filepath.ToSlash(name)
	family, convert := "", func(b []byte) string { return string(b) }
	switch match := manPage.FindStringSubmatch(slashed); {
	case foreign.MatchString(slashed):
		return nil
	case match != nil:
		family, convert = "man "+match[1], plain
	case strings.Contains(slashed, "/common-licenses/"):
	default:
		switch path.Ext(slashed) {
		case ".md", ".rst", ".txt":
			family = path.Dir(version.ReplaceAllString(slashed, ""))
		default:
			return nil
		}
	}
	if w.limits.Family > 0 && family != "" && w.families[family] >= w.limits.Family {
		return nil
	}
	data, err := read(name)
	if err != nil {
		return err
	}
	text := convert(data)
	if w.limits.Size > 0 {
		text = excerpt(text, w.limits.Size)
	}
	if !english(text) {
		return nil
	}
	w.families[family]++
	return w.visit(strings.TrimPrefix(slashed, "/"), text)
}

// read returns a file, decompressed.
func read(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if !strings.HasSuffix(name, ".gz") {
		return io.ReadAll(f)
	}
	r, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// excerpt returns about size bytes from the middle of a text, from space to space, or "" if
// the text is shorter.
func excerpt(text string, size int) string {
	if len(text) < size {
		return ""
	}
	text = text[(len(text)-size)/2:]
	if i := strings.IndexAny(text[:size], " \n"); i >= 0 {
		text = text[i+1:]
	}
	text = text[:min(size, len(text))]
	if i := strings.LastIndexAny(text, " \n"); i >= 0 {
		text = text[:i]
	}
	return text
}

// english reports whether a text seems to be English prose: nearly all of it is ASCII, and
// one word of a hundred is "the".
func english(text string) bool {
	other := 0
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			other++
		}
	}
	words := strings.Fields(text)
	the := 0
	for _, w := range words {
		if strings.EqualFold(w, "the") {
			the++
		}
	}
	return utf8.ValidString(text) && other*50 < len(text) && the > 0 && the*100 >= len(words)
}

var (
	// Requests with words after them that are part of the text.
	textRequests = regexp.MustCompile(`^(B|I|BI|BR|IB|IR|RB|RI|SM|SB|SH|SS|TP|IP|TQ|Nm|Nd|Fl|Ar|Pa|Op|Ar|Em|Sy|Li|Ql|Dq|Sq|Xr|Cm|Ic|Ev|Va|Vt|Fn|Fa|Ft|Dv|Er|It|Sh|Ss)$`)
	escapes      = regexp.MustCompile(`\\(\(..|\[[^\]]*\]|\*\(..|\*\[[^\]]*\]|\*.|f\(..|f\[[^\]]*\]|f.|s[-+]?[0-9]|[whvlLDo]'[^']*'|n\(..|[&/,|^%!:)]|".*|.)`)
	quotes       = strings.NewReplacer(`"`, "")
)

// plain returns the text of a man page, roughly: it drops requests that have no text,
// comments, tables' options, and escapes.
func plain(page []byte) string {
	var b strings.Builder
	ignored := "" // the end of lines that are not text
	for line := range bytes.Lines(page) {
		s := strings.TrimRight(string(line), "\r\n")
		if ignored != "" {
			if s == ignored {
				ignored = ""
			}
			continue
		}
		if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
			name, arguments, _ := strings.Cut(strings.TrimLeft(s[1:], " "), " ")
			switch {
			case name == "de" || name == "ig" || name == "de1":
				ignored = ".."
				continue
			case !textRequests.MatchString(name):
				continue
			}
			s = quotes.Replace(arguments)
		}
		s = escapes.ReplaceAllStringFunc(s, unescape)
		if s = strings.TrimRight(s, " "); s != "" {
			b.WriteString(s)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// unescape returns the text of an escape sequence of roff.
func unescape(s string) string {
	switch s {
	case `\-`, `\(mi`, `\(en`, `\(hy`:
		return "-"
	case `\(aq`, `\(cq`, `\(oq`, `\'`, "\\`":
		return "'"
	case `\e`, `\\`, `\(rs`:
		return `\`
	case `\ `, `\~`, `\0`:
		return " "
	case `\.`:
		return "."
	}
	return ""
}
