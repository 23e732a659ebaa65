// Package deploy has how the similarity service is deployed: its image, the manifests
// for Kubernetes, and the configuration of HAProxy. The package itself has only tests,
// which check all of them, and that no request fails while instances behind HAProxy are
// stopped, killed and started again.
package deploy
