package deploy

import (
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"k8s.io/utils/ptr"
)

// problems are what is wrong with manifests although their types are right.
type problems []string

// want appends a problem if a condition does not hold.
func (p *problems) want(ok bool, format string, args ...any) {
	if !ok {
		*p = append(*p, fmt.Sprintf(format, args...))
	}
}

func (m *manifests) problems() (p problems) {
	pod := &m.deployment.Spec.Template
	if len(pod.Spec.Containers) != 1 {
		return problems{fmt.Sprintf("%d containers", len(pod.Spec.Containers))}
	}
	c := &pod.Spec.Containers[0]
	registry, tag, _ := strings.Cut(c.Image, ":")
	p.want(strings.Contains(registry, "/") && tag != "latest", "kustomization.yaml does not replace the image %s", c.Image)
	p.want(m.namespace.Labels[api.EnforceLevelLabel] == string(api.LevelRestricted), "the namespace does not enforce the restricted standard: %v", m.namespace.Labels)
	p.restricted(&pod.ObjectMeta, &pod.Spec)
	p.want(c.SecurityContext != nil && ptr.Deref(c.SecurityContext.ReadOnlyRootFilesystem, false), "the root file system is writable")
	p.want(!ptr.Deref(pod.Spec.AutomountServiceAccountToken, true), "pods get a token for the Kubernetes API")
	p.selectors(m)
	p.ports(m, c)
	p.replicas(m)
	p.flags(&pod.Spec, c)
	return p
}

// restricted checks a pod against the restricted Pod Security Standard.
func (p *problems) restricted(meta *metav1.ObjectMeta, spec *corev1.PodSpec) {
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	p.want(err == nil, "%v", err)
	for _, r := range evaluator.EvaluatePod(api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}, meta, spec) {
		p.want(r.Allowed, "a pod is not restricted: %s (%s)", r.ForbiddenReason, r.ForbiddenDetail)
	}
}

// selectors checks that whatever selects pods selects those of the Deployment.
func (p *problems) selectors(m *manifests) {
	pods := labels.Set(m.deployment.Spec.Template.Labels)
	selectors := map[string]*metav1.LabelSelector{
		"Deployment":          m.deployment.Spec.Selector,
		"Service":             {MatchLabels: m.service.Spec.Selector},
		"PodDisruptionBudget": m.pdb.Spec.Selector,
		"NetworkPolicy":       &m.network.Spec.PodSelector,
	}
	for _, c := range m.deployment.Spec.Template.Spec.TopologySpreadConstraints {
		selectors[c.TopologyKey] = c.LabelSelector
		p.want(c.WhenUnsatisfiable == corev1.ScheduleAnyway, "the constraint of %s is %q", c.TopologyKey, c.WhenUnsatisfiable)
	}
	for name, s := range selectors {
		selector, err := metav1.LabelSelectorAsSelector(s)
		p.want(err == nil && !selector.Empty() && selector.Matches(pods), "the selector %v of %s does not select pods with %v", s, name, pods)
	}
	target := m.hpa.Spec.ScaleTargetRef
	p.want(target.Kind == "Deployment" && target.APIVersion == "apps/v1" && target.Name == m.deployment.Name, "the HorizontalPodAutoscaler scales %v", target)
}

// ports checks that ports exist.
func (p *problems) ports(m *manifests, c *corev1.Container) {
	if len(c.Ports) != 1 || len(m.service.Spec.Ports) != 1 || len(m.network.Spec.Ingress) != 1 || len(m.network.Spec.Ingress[0].Ports) != 1 {
		p.want(false, "not one port each")
		return
	}
	port, network := c.Ports[0], m.network.Spec.Ingress[0].Ports[0]
	to := m.service.Spec.Ports[0].TargetPort.StrVal
	p.want(to == port.Name, "the Service sends to the port %q", to)
	p.want(network.Port != nil && network.Port.StrVal == port.Name && ptr.Deref(network.Protocol, corev1.ProtocolTCP) == corev1.ProtocolTCP, "the NetworkPolicy allows %v", network)
	scraped := m.deployment.Spec.Template.Annotations["prometheus.io/port"]
	p.want(scraped == fmt.Sprint(port.ContainerPort), "Prometheus reads the port %q", scraped)
	for name, probe := range probes(c) {
		p.want(probe != nil && probe.HTTPGet != nil && probe.HTTPGet.Port.StrVal == port.Name, "the %s probe is %v", name, probe)
	}
}

func probes(c *corev1.Container) map[string]*corev1.Probe {
	return map[string]*corev1.Probe{"startup": c.StartupProbe, "liveness": c.LivenessProbe, "readiness": c.ReadinessProbe}
}

// replicas checks that the minimum of replicas outlasts an eviction, and that a rollout
// stops none before another one is ready.
func (p *problems) replicas(m *manifests) {
	p.want(m.deployment.Spec.Replicas == nil, "the Deployment sets replicas, as the HorizontalPodAutoscaler does")
	least, most := ptr.Deref(m.hpa.Spec.MinReplicas, 1), m.hpa.Spec.MaxReplicas
	p.want(3 <= least && least <= most, "%d to %d replicas", least, most)
	available := ptr.Deref(m.pdb.Spec.MinAvailable, intstr.FromInt32(0))
	p.want(1 <= available.IntVal && available.IntVal < least, "an eviction must leave %v of %d replicas", &available, least)
	r := m.deployment.Spec.Strategy.RollingUpdate
	p.want(r != nil && r.MaxUnavailable != nil && r.MaxUnavailable.String() == "0" && r.MaxSurge != nil && r.MaxSurge.IntVal >= 1, "the rollout is %v", r)
}

// flags checks that the flags of the service suit the limits of the pod: a pod is killed
// only after the shutdown, which begins after the readiness probe failed; and bodies in
// flight, memory of Go and memory of the container are each less than the next.
func (p *problems) flags(pod *corev1.PodSpec, c *corev1.Container) {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	delay, timeout := fs.Duration("shutdown-delay", 0, ""), fs.Duration("shutdown-timeout", 0, "")
	body, inflight := fs.String("max-body", "", ""), fs.Int64("max-inflight", 0, "")
	fs.String("log-level", "", "")
	err := fs.Parse(c.Args)
	p.want(err == nil && fs.NArg() == 0, "the arguments are %q: %v", c.Args, err)

	grace := time.Duration(ptr.Deref(pod.TerminationGracePeriodSeconds, 30)) * time.Second
	p.want(grace > *delay+*timeout, "pods are killed after %v, but may take %v and %v", grace, *delay, *timeout)
	if ready := c.ReadinessProbe; ready != nil {
		seen := time.Duration(ready.PeriodSeconds*ready.FailureThreshold) * time.Second
		p.want(0 < seen && seen <= *delay, "the readiness probe fails after %v, the delay is %v", seen, *delay)
	}
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		request, limit := c.Resources.Requests[name], c.Resources.Limits[name]
		p.want(!request.IsZero() && limit.Cmp(request) >= 0, "%s: the limit is %v, the request %v", name, &limit, &request)
	}
	bodies, soft := bytesOf(*body)**inflight, int64(0)
	for _, v := range c.Env {
		if v.Name == "GOMEMLIMIT" {
			soft = bytesOf(v.Value)
		}
	}
	hard := c.Resources.Limits.Memory().Value()
	p.want(0 < bodies && bodies <= soft/2 && soft <= hard*9/10, "bodies may have %d bytes, Go %d and the container %d", bodies, soft, hard)
}

// bytesOf returns a size as Go writes it, such as 256KiB, or 0 if it is invalid.
func bytesOf(size string) int64 {
	q, err := resource.ParseQuantity(strings.TrimSuffix(size, "B"))
	if err != nil || !strings.HasSuffix(size, "B") {
		return 0
	}
	return q.Value()
}
