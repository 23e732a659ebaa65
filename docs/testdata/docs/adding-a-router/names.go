// Package routers has what the code of adding-a-router.md uses and does not show.
package routers

import (
	_ "github.com/gin-gonic/gin"

	"github.com/muxwell/muxwell/routebench/router"
)

var work *router.Work

func add(router.Router) {}
