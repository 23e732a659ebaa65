// Package inspect explains what routing does with the entries of some tables: which
// entry matches a request and why the others do not, which entries overlap, which never
// match, and which request an entry matches. It is for tools, tests and error pages.
//
// It looks at patterns and matchers one by one, or at two of them at a time, and asks
// the tables only for their answer to a whole request. Its answers agree with those of
// the tables. It does not know of handlers, groups and mounts; what its texts need of a
// route besides, [Routes] has.
package inspect
