package deploy

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

// Manifests are the files of a folder.
type manifests struct {
	kustomization kustomization
	namespace     corev1.Namespace
	deployment    appsv1.Deployment
	service       corev1.Service
	hpa           autoscalingv2.HorizontalPodAutoscaler
	pdb           policyv1.PodDisruptionBudget
	network       networkingv1.NetworkPolicy
}

// A kustomization is what kustomization.yaml has of that type.
type kustomization struct {
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"`
	Namespace  string   `json:"namespace"`
	Resources  []string `json:"resources"`
	Images     []struct {
		Name    string `json:"name"`
		NewName string `json:"newName"`
		NewTag  string `json:"newTag"`
	} `json:"images"`
}

// decode reads a file into a type of the Kubernetes API. A field that the type does not
// have, or has with another type, is an error, as it is with a schema.
func decode(t *testing.T, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict(data, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// readManifests reads the files of kubernetes/, and checks that kustomization.yaml names
// them all.
func readManifests(t *testing.T) *manifests {
	t.Helper()
	m := new(manifests)
	files := map[string]any{
		"kustomization.yaml": &m.kustomization,
		"namespace.yaml":     &m.namespace,
		"deployment.yaml":    &m.deployment,
		"service.yaml":       &m.service,
		"hpa.yaml":           &m.hpa,
		"pdb.yaml":           &m.pdb,
		"networkpolicy.yaml": &m.network,
	}
	for file, into := range files {
		decode(t, filepath.Join("kubernetes", file), into)
	}
	found, err := os.ReadDir("kubernetes")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if _, ok := files[f.Name()]; !ok {
			t.Errorf("%s is checked by no test", f.Name())
		}
		if f.Name() != "kustomization.yaml" && !slices.Contains(m.kustomization.Resources, f.Name()) {
			t.Errorf("kustomization.yaml does not name %s", f.Name())
		}
	}
	return m
}
