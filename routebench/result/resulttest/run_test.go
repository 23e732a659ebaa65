package resulttest_test

import (
	"reflect"
	"testing"

	"github.com/muxwell/muxwell/routebench/result/resulttest"
)

func TestAlwaysTheSame(t *testing.T) {
	if !reflect.DeepEqual(resulttest.Run(), resulttest.Run()) {
		t.Error("Run() differs from call to call")
	}
	if !reflect.DeepEqual(resulttest.Small(), resulttest.Small()) {
		t.Error("Small() differs from call to call")
	}
}
