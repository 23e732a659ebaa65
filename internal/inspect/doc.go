// Package inspect explains what routing does with the entries of tables. It finds which
// entry matches a request and why the others do not, which entries overlap, which are
// unreachable, and a request that an entry matches. It is for tools, tests and error
// pages.
//
// It compares patterns and matchers one by one or in pairs, and uses the tables only to
// resolve whole requests. Its results agree with those of the tables. It does not know
// handlers, groups and mounts; [Routes] provides what its texts need about routes.
package inspect
