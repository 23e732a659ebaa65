// Package deploy tests the deployment of the similarity service: its Docker image,
// Kubernetes manifests and HAProxy configuration. One test checks that no request fails while
// instances behind HAProxy are stopped, killed and restarted.
package deploy
