package deploy

import (
	"bytes"
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// manifests are the objects that kubectl apply -k creates.
type manifests struct {
	namespace  corev1.Namespace
	deployment appsv1.Deployment
	service    corev1.Service
	hpa        autoscalingv2.HorizontalPodAutoscaler
	pdb        policyv1.PodDisruptionBudget
	network    networkingv1.NetworkPolicy
}

// decoder decodes as the API server does with strict field validation: it returns an error
// for unknown and duplicate fields, values of another type, and unknown kinds and versions.
var decoder = func() runtime.Decoder {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		corev1.AddToScheme, appsv1.AddToScheme, autoscalingv2.AddToScheme, policyv1.AddToScheme, networkingv1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			panic(err)
		}
	}
	return serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
}()

// build builds the kustomization in the directory kubernetes of a file system.
func build(fs filesys.FileSystem) (*manifests, error) {
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(fs, "kubernetes")
	if err != nil {
		return nil, err
	}
	m := new(manifests)
	into := map[string]runtime.Object{
		"Namespace": &m.namespace, "Deployment": &m.deployment, "Service": &m.service,
		"HorizontalPodAutoscaler": &m.hpa, "PodDisruptionBudget": &m.pdb, "NetworkPolicy": &m.network,
	}
	for _, r := range built.Resources() {
		data, err := r.AsYAML()
		if err != nil {
			return nil, err
		}
		object := into[r.GetKind()]
		if object == nil {
			return nil, fmt.Errorf("an unexpected %s", r.CurId())
		}
		if _, _, err := decoder.Decode(data, nil, object); err != nil {
			return nil, fmt.Errorf("%s: %w", r.CurId(), err)
		}
		delete(into, r.GetKind())
	}
	for kind := range into {
		return nil, fmt.Errorf("no %s", kind)
	}
	return m, nil
}

// readManifests returns the manifests of this directory.
func readManifests(t *testing.T) *manifests {
	t.Helper()
	m, err := build(filesys.MakeFsOnDisk())
	must(t, err)
	return m
}

func TestManifests(t *testing.T) {
	for _, p := range readManifests(t).problems() {
		t.Error(p)
	}
}

// TestMistakes makes one mistake at a time in a copy of the manifests. Each must be found.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ file, old, new string }{
		// The schema.
		{"deployment", "terminationGracePeriodSeconds", "terminationGracePeriod"},
		{"deployment", "          readinessProbe:\n            httpGet:", "          readinessProbe:\n            httpget:"},
		{"deployment", "maxSkew: 1", "maxSkew: one"},
		{"deployment", "containerPort: 8080", "containerPort: \"8080\""},
		{"deployment", "memory: 512Mi", "memory: 512MB!"},
		{"deployment", "apiVersion: apps/v1", "apiVersion: apps/v1beta1"},
		{"deployment", "      enableServiceLinks: false", "      enableServiceLinks: false\n      enableServiceLinks: true"},
		{"service", "kind: Service", "kind: Servise"},
		{"hpa", "apiVersion: autoscaling/v2", "apiVersion: autoscaling/v1"},
		{"pdb", "minAvailable: 2", "minAvailable: [2]"},
		{"kustomization", "resources:", "resource:"},
		{"kustomization", "  - pdb.yaml\n", ""},
		{"kustomization", "hpa.yaml", "hpas.yaml"},
		// What no schema knows.
		{"deployment", "      labels:\n        app.kubernetes.io/name: similarity", "      labels:\n        app.kubernetes.io/name: similar"},
		{"service", "app.kubernetes.io/name: similarity", "app: similarity"},
		{"pdb", "app.kubernetes.io/name: similarity", "app.kubernetes.io/name: similar"},
		{"networkpolicy", "app.kubernetes.io/name: similarity", "app.kubernetes.io/name: similar"},
		{"hpa", "    name: similarity\n", "    name: similar\n"},
		{"service", "targetPort: http", "targetPort: web"},
		{"networkpolicy", "port: http", "port: web"},
		{"deployment", "path: /readyz\n              port: http", "path: /readyz\n              port: web"},
		{"deployment", "prometheus.io/port: \"8080\"", "prometheus.io/port: \"8081\""},
		{"deployment", "ScheduleAnyway", "ScheduleAnyways"},
		{"deployment", "runAsNonRoot: true", "runAsNonRoot: false"},
		{"deployment", "type: RuntimeDefault", "type: RuntimeDefualt"},
		{"deployment", "terminationGracePeriodSeconds: 30", "terminationGracePeriodSeconds: 20"},
		{"deployment", "-shutdown-delay=5s", "-shutdown-delay=2s"},
		{"deployment", "-max-inflight=512", "-max-inflight=5120"},
		{"deployment", "-log-level=info", "log-level=info"},
		{"deployment", "value: 400MiB", "value: 500MiB"},
		{"deployment", "maxUnavailable: 0", "maxUnavailable: 1"},
		{"pdb", "minAvailable: 2", "minAvailable: 3"},
		{"hpa", "maxReplicas: 12", "maxReplicas: 2"},
		{"kustomization", "  - name: similarity\n", "  - name: similar\n"},
		{"namespace", "restricted", "privileged"},
	} {
		fs := filesys.MakeFsInMemory()
		for _, file := range []string{"kustomization", "namespace", "deployment", "service", "hpa", "pdb", "networkpolicy"} {
			name := "kubernetes/" + file + ".yaml"
			text := read(t, name)
			if file == c.file {
				right := text
				if text = bytes.Replace(right, []byte(c.old), []byte(c.new), 1); bytes.Equal(text, right) {
					t.Fatalf("%s has no %q", name, c.old)
				}
			}
			must(t, fs.WriteFile(name, text))
		}
		if m, err := build(fs); err == nil && len(m.problems()) == 0 {
			t.Errorf("%s: %q is not found", c.file, c.new)
		}
	}
}
