package deploy

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A testRun is what ../load/k6-operator.yaml has of the k6 operator's type: see
// api/v1alpha1/testrun_types.go in github.com/grafana/k6-operator, which is not on the
// Go module proxy.
type testRun struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		Parallelism int32 `json:"parallelism"`
		Script      struct {
			ConfigMap struct {
				Name string `json:"name"`
				File string `json:"file"`
			} `json:"configMap"`
		} `json:"script"`
		Arguments   string     `json:"arguments"`
		Starter     testRunPod `json:"starter"`
		Initializer testRunPod `json:"initializer"`
		Runner      testRunPod `json:"runner"`
	} `json:"spec"`
}

// A testRunPod is one of the pods that the operator makes.
type testRunPod struct {
	Image                        string                      `json:"image"`
	AutomountServiceAccountToken string                      `json:"automountServiceAccountToken"`
	Env                          []corev1.EnvVar             `json:"env"`
	SecurityContext              corev1.PodSecurityContext   `json:"securityContext"`
	ContainerSecurityContext     corev1.SecurityContext      `json:"containerSecurityContext"`
	Resources                    corev1.ResourceRequirements `json:"resources"`
	InitContainers               []struct {
		Name         string               `json:"name"`
		Image        string               `json:"image"`
		Args         []string             `json:"args"`
		VolumeMounts []corev1.VolumeMount `json:"volumeMounts"`
	} `json:"initContainers"`
	Volumes      []corev1.Volume      `json:"volumes"`
	VolumeMounts []corev1.VolumeMount `json:"volumeMounts"`
}

// TestTestRun: the pods fit the namespace, and the script finds the texts in each that
// runs it.
func TestTestRun(t *testing.T) {
	var run testRun
	decode(t, "../load/k6-operator.yaml", &run)
	if got := run.APIVersion + " " + run.Kind; got != "k6.io/v1alpha1 TestRun" {
		t.Errorf("it is of %s", got)
	}
	if run.Spec.Parallelism != 4 || run.Spec.Script.ConfigMap.File != "similarity.js" {
		t.Errorf("%d instances run %s, want 4 and similarity.js", run.Spec.Parallelism, run.Spec.Script.ConfigMap.File)
	}
	args := strings.Fields(run.Spec.Arguments)
	if m := readManifests(t); !slices.Contains(args, "BASE_URL=http://"+m.service.Name) {
		t.Errorf("the arguments %q do not name the Service %s", args, m.service.Name)
	}
	for name, pod := range map[string]testRunPod{"starter": run.Spec.Starter, "initializer": run.Spec.Initializer, "runner": run.Spec.Runner} {
		checkRestricted(t, name, &pod.SecurityContext, &pod.ContainerSecurityContext)
		if name != "starter" {
			checkTexts(t, name, pod, args)
		}
	}
}

// checkTexts checks that an init container writes the file that the script reads, on a
// volume that both have.
func checkTexts(t *testing.T, name string, pod testRunPod, args []string) {
	t.Helper()
	if len(pod.InitContainers) != 1 || len(pod.Volumes) != 1 || len(pod.VolumeMounts) != 1 {
		t.Fatalf("%s: %d init containers, %d volumes, %d mounts, want one each", name, len(pod.InitContainers), len(pod.Volumes), len(pod.VolumeMounts))
	}
	init, mount := pod.InitContainers[0], pod.VolumeMounts[0]
	if mount.Name != pod.Volumes[0].Name || !reflect.DeepEqual(init.VolumeMounts, pod.VolumeMounts) {
		t.Errorf("%s: the volume is %s; it is mounted as %+v and %+v", name, pod.Volumes[0].Name, mount, init.VolumeMounts)
	}
	out := slices.Index(init.Args, "-out") + 1
	if out == 0 || !strings.HasPrefix(init.Args[out], mount.MountPath+"/") || !slices.Contains(args, "TEXTS="+init.Args[out]) {
		t.Errorf("%s: %q writes no file at %s that the arguments %q name", name, init.Args, mount.MountPath, args)
	}
}
