package deploy

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// A testRun has the fields of the k6 operator's type that ../load/k6-operator.yaml uses: see
// api/v1alpha1/testrun_types.go in github.com/grafana/k6-operator.
type testRun struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		Parallelism int32 `json:"parallelism"`
		Script      struct {
			ConfigMap struct{ Name, File string } `json:"configMap"`
		} `json:"script"`
		Arguments   string     `json:"arguments"`
		Starter     testRunPod `json:"starter"`
		Initializer testRunPod `json:"initializer"`
		Runner      testRunPod `json:"runner"`
	} `json:"spec"`
}

type testRunPod struct {
	Image                        string                      `json:"image"`
	AutomountServiceAccountToken string                      `json:"automountServiceAccountToken"`
	Env                          []corev1.EnvVar             `json:"env"`
	SecurityContext              *corev1.PodSecurityContext  `json:"securityContext"`
	ContainerSecurityContext     *corev1.SecurityContext     `json:"containerSecurityContext"`
	Resources                    corev1.ResourceRequirements `json:"resources"`
	InitContainers               []struct {
		Name, Image  string
		Args         []string
		VolumeMounts []corev1.VolumeMount
	} `json:"initContainers"`
	Volumes      []corev1.Volume      `json:"volumes"`
	VolumeMounts []corev1.VolumeMount `json:"volumeMounts"`
}

// TestTestRun checks that the pods may run in the namespace, and that an init container
// writes the texts where the script reads them.
func TestTestRun(t *testing.T) {
	var run testRun
	must(t, yaml.UnmarshalStrict(read(t, "../load/k6-operator.yaml"), &run))
	spec, args := &run.Spec, strings.Fields(run.Spec.Arguments)
	var p problems
	p.want(run.APIVersion == "k6.io/v1alpha1" && run.Kind == "TestRun", "it is a %s of %s", run.Kind, run.APIVersion)
	p.want(spec.Parallelism == 4 && spec.Script.ConfigMap.File == "similarity.js", "%d instances run %s", spec.Parallelism, spec.Script.ConfigMap.File)
	p.want(slices.Contains(args, "BASE_URL=http://"+readManifests(t).service.Name), "the arguments %q do not name the Service", args)
	for _, pod := range []testRunPod{spec.Starter, spec.Initializer, spec.Runner} {
		containers := []corev1.Container{{SecurityContext: pod.ContainerSecurityContext}}
		p.restricted(&run.ObjectMeta, &corev1.PodSpec{SecurityContext: pod.SecurityContext, Volumes: pod.Volumes, Containers: containers})
	}
	for _, pod := range []testRunPod{spec.Initializer, spec.Runner} {
		if len(pod.InitContainers) != 1 || len(pod.Volumes) != 1 || len(pod.VolumeMounts) != 1 {
			t.Fatalf("%d init containers, %d volumes, %d mounts, want one each", len(pod.InitContainers), len(pod.Volumes), len(pod.VolumeMounts))
		}
		init, mount := pod.InitContainers[0], pod.VolumeMounts[0]
		p.want(mount.Name == pod.Volumes[0].Name && reflect.DeepEqual(init.VolumeMounts, pod.VolumeMounts), "the mounts are %v and %v", mount, init.VolumeMounts)
		out := slices.Index(init.Args, "-out") + 1
		p.want(out > 0 && strings.HasPrefix(init.Args[out], mount.MountPath+"/") && slices.Contains(args, "TEXTS="+init.Args[out]), "%q writes no file in %s that %q names", init.Args, mount.MountPath, args)
	}
	for _, problem := range p {
		t.Error(problem)
	}
}
