package deploy

import (
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// TestKinds: strict decoding does not look at what a file says it is.
func TestKinds(t *testing.T) {
	m := readManifests(t)
	for _, c := range []struct{ got, want string }{
		{m.kustomization.APIVersion + " " + m.kustomization.Kind, "kustomize.config.k8s.io/v1beta1 Kustomization"},
		{m.namespace.APIVersion + " " + m.namespace.Kind, "v1 Namespace"},
		{m.deployment.APIVersion + " " + m.deployment.Kind, "apps/v1 Deployment"},
		{m.service.APIVersion + " " + m.service.Kind, "v1 Service"},
		{m.hpa.APIVersion + " " + m.hpa.Kind, "autoscaling/v2 HorizontalPodAutoscaler"},
		{m.pdb.APIVersion + " " + m.pdb.Kind, "policy/v1 PodDisruptionBudget"},
		{m.network.APIVersion + " " + m.network.Kind, "networking.k8s.io/v1 NetworkPolicy"},
	} {
		if c.got != c.want {
			t.Errorf("a file is of %s, want %s", c.got, c.want)
		}
	}
	if m.namespace.Name != m.kustomization.Namespace {
		t.Errorf("the namespace is %q, and kustomization.yaml has %q", m.namespace.Name, m.kustomization.Namespace)
	}
}

// TestSelectors: everything that selects pods selects those of the Deployment.
func TestSelectors(t *testing.T) {
	m := readManifests(t)
	pods := labels.Set(m.deployment.Spec.Template.Labels)
	selectors := map[string]*metav1.LabelSelector{
		"the Deployment":          m.deployment.Spec.Selector,
		"the Service":             {MatchLabels: m.service.Spec.Selector},
		"the PodDisruptionBudget": m.pdb.Spec.Selector,
		"the NetworkPolicy":       &m.network.Spec.PodSelector,
	}
	for _, c := range m.deployment.Spec.Template.Spec.TopologySpreadConstraints {
		selectors["the spread over "+c.TopologyKey] = c.LabelSelector
	}
	for name, s := range selectors {
		selector, err := metav1.LabelSelectorAsSelector(s)
		if err != nil || selector.Empty() || !selector.Matches(pods) {
			t.Errorf("%s selects %v, and the pods have %v: %v", name, selector, pods, err)
		}
	}
	if target := m.hpa.Spec.ScaleTargetRef; target.Kind != m.deployment.Kind || target.APIVersion != m.deployment.APIVersion || target.Name != m.deployment.Name {
		t.Errorf("the HorizontalPodAutoscaler scales %+v, which is not the Deployment", target)
	}
}

// container returns the Deployment's only container.
func container(t *testing.T, m *manifests) *corev1.Container {
	t.Helper()
	containers := m.deployment.Spec.Template.Spec.Containers
	if len(containers) != 1 {
		t.Fatalf("%d containers, want one", len(containers))
	}
	return &containers[0]
}

// TestPorts: ports that are named exist.
func TestPorts(t *testing.T) {
	m := readManifests(t)
	c := container(t, m)
	var names []string
	for _, p := range c.Ports {
		names = append(names, p.Name)
	}
	for _, p := range m.service.Spec.Ports {
		if !slices.Contains(names, p.TargetPort.StrVal) {
			t.Errorf("the Service sends to the port %q; the container has %q", p.TargetPort.StrVal, names)
		}
	}
	for _, p := range m.network.Spec.Ingress[0].Ports {
		if !slices.Contains(names, p.Port.StrVal) {
			t.Errorf("the NetworkPolicy lets in to the port %q; the container has %q", p.Port.StrVal, names)
		}
	}
	for name, probe := range probes(c) {
		if probe == nil || probe.HTTPGet == nil || !slices.Contains(names, probe.HTTPGet.Port.StrVal) {
			t.Errorf("the %s probe is %v, want one over HTTP at a port of %q", name, probe, names)
		}
	}
}

func probes(c *corev1.Container) map[string]*corev1.Probe {
	return map[string]*corev1.Probe{"startup": c.StartupProbe, "liveness": c.LivenessProbe, "readiness": c.ReadinessProbe}
}

// TestSecurity: what the restricted Pod Security Standard asks for, and a root file
// system that is read only.
func TestSecurity(t *testing.T) {
	m := readManifests(t)
	pod, c := m.deployment.Spec.Template.Spec, container(t, m)
	if m.namespace.Labels["pod-security.kubernetes.io/enforce"] != "restricted" {
		t.Errorf("the namespace has the labels %v", m.namespace.Labels)
	}
	checkRestricted(t, "the Deployment", pod.SecurityContext, c.SecurityContext)
	if s := c.SecurityContext; s.ReadOnlyRootFilesystem == nil || !*s.ReadOnlyRootFilesystem {
		t.Error("the root file system can be written to")
	}
	if token := pod.AutomountServiceAccountToken; token == nil || *token {
		t.Error("pods get a token for the Kubernetes API, which they do not use")
	}
}

// checkRestricted checks what the restricted Pod Security Standard asks for.
func checkRestricted(t *testing.T, name string, pod *corev1.PodSecurityContext, c *corev1.SecurityContext) {
	t.Helper()
	if pod == nil || pod.RunAsNonRoot == nil || !*pod.RunAsNonRoot || pod.SeccompProfile == nil || pod.SeccompProfile.Type != corev1.SeccompProfileTypeRuntimeDefault {
		t.Errorf("%s: the pod's security context is %+v", name, pod)
	}
	if c == nil || c.AllowPrivilegeEscalation == nil || *c.AllowPrivilegeEscalation || c.Capabilities == nil || !slices.Equal(c.Capabilities.Drop, []corev1.Capability{"ALL"}) || len(c.Capabilities.Add) > 0 {
		t.Errorf("%s: the container's security context is %+v", name, c)
	}
}

// TestResources: limits are no less than requests, and Go's limit of memory lies below
// that of the container and above the bodies that are under way.
func TestResources(t *testing.T) {
	c := container(t, readManifests(t))
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		request, limit := c.Resources.Requests[name], c.Resources.Limits[name]
		if request.IsZero() || limit.Cmp(request) < 0 {
			t.Errorf("%s: the limit is %v, the request %v", name, &limit, &request)
		}
	}
	limit := c.Resources.Limits[corev1.ResourceMemory]
	soft := byteCount(t, variable(t, c, "GOMEMLIMIT"))
	bodies := byteCount(t, arg(t, c, "max-body")) * number(t, arg(t, c, "max-inflight"))
	if soft > limit.Value()*9/10 || bodies > soft/2 {
		t.Errorf("bodies may have %d bytes, Go %d and the container %d; want half, and nine tenths at most", bodies, soft, limit.Value())
	}
}

// TestReplicas: as many replicas as are always there outlast an eviction, and a roll-out
// stops none before another one is ready.
func TestReplicas(t *testing.T) {
	m := readManifests(t)
	if m.deployment.Spec.Replicas != nil {
		t.Errorf("the Deployment says %d replicas, as the HorizontalPodAutoscaler does", *m.deployment.Spec.Replicas)
	}
	least := *m.hpa.Spec.MinReplicas
	if least < 3 || m.hpa.Spec.MaxReplicas < least {
		t.Errorf("%d to %d replicas, want 3 or more", least, m.hpa.Spec.MaxReplicas)
	}
	if available := m.pdb.Spec.MinAvailable.IntVal; available < 1 || available >= least {
		t.Errorf("an eviction must leave %d of %d replicas; want one less or fewer", available, least)
	}
	if r := m.deployment.Spec.Strategy.RollingUpdate; r.MaxUnavailable.IntVal != 0 || r.MaxSurge.IntVal < 1 {
		t.Errorf("a roll-out has %v unavailable, %v more; want 0 and 1 or more", r.MaxUnavailable, r.MaxSurge)
	}
}

// TestShutdown: a pod is killed only after the service had all the time it may take, and
// the delay is longer than the readiness probe needs to see it.
func TestShutdown(t *testing.T) {
	m := readManifests(t)
	c := container(t, m)
	delay, timeout := duration(t, arg(t, c, "shutdown-delay")), duration(t, arg(t, c, "shutdown-timeout"))
	if grace := time.Duration(*m.deployment.Spec.Template.Spec.TerminationGracePeriodSeconds) * time.Second; grace < delay+timeout+time.Second {
		t.Errorf("pods are killed after %v; they may take %v and %v", grace, delay, timeout)
	}
	ready := c.ReadinessProbe
	if seen := time.Duration(ready.PeriodSeconds*ready.FailureThreshold) * time.Second; seen > delay {
		t.Errorf("the readiness probe sees the end after %v; requests are taken for %v more", seen, delay)
	}
}

// TestImage: kustomization.yaml replaces the image that the Deployment has.
func TestImage(t *testing.T) {
	m := readManifests(t)
	image, _, _ := strings.Cut(container(t, m).Image, ":")
	if len(m.kustomization.Images) != 1 || m.kustomization.Images[0].Name != image {
		t.Errorf("kustomization.yaml replaces %v; the image is %q", m.kustomization.Images, image)
	}
}
