package resulttest

import "github.com/muxwell/muxwell/routebench/result"

// spoil makes some rows noisy, excludes some, and makes some answer only a part.
func spoil(run *result.Run) {
	for i := range run.Scenarios {
		s := &run.Scenarios[i]
		for j := range s.Rows {
			r := &s.Rows[j]
			switch {
			case s.Name == "GithubAll" && r.Router == "httprouter":
				r.Answered = 190
			case s.Name == "StaticAll" && r.Router == "go-restful":
				r.Answered = 156
			case s.Name == "MethodNotAllowed" && r.Router == "martini":
				*r = result.Row{Router: r.Router, CPU: r.CPU, LeftOut: "it answers none of the requests right"}
			case s.Name == "Param5" && r.Router == "chi", s.Name == "Server/Github" && r.Router == "gin":
				shake(r)
			}
		}
	}
}

// shake makes a row noisy.
func shake(r *result.Row) {
	for unit, values := range r.Samples {
		if unit == result.Bytes || unit == result.Allocs {
			continue
		}
		for i := range values {
			values[i] *= 1 + 0.06*float64(i%5-2)
		}
	}
}

// matrix returns probes with answers of all routers.
func matrix() []result.Probe {
	probes := []struct{ name, about, reason string }{
		{"parameter", "A parameter that is a whole segment.", ""},
		{"text beside a parameter", "/files/{name}.json", "it has no text beside a parameter in a segment"},
		{"expression", "A parameter that must match a regular expression.", "it has no expressions or constraints"},
		{"rest in the middle", "/repos/{path...}/raw", "it has no parameter for several segments in the middle of a path"},
		{"405 with Allow", "405 and the methods that there are, for a path that has routes for other methods only.", "status 404, want 405"},
	}
	var out []result.Probe
	for i, p := range probes {
		probe := result.Probe{Name: p.name, About: p.about}
		for j, r := range profiles {
			a := result.Answer{Router: r.Name, Yes: true}
			if r.Name != "muxwell" && r.Name != "muxwell-value" && i > 0 && (i+j)%(6-i) < 2 {
				a.Yes, a.Reason = false, p.reason
			}
			probe.Answers = append(probe.Answers, a)
		}
		out = append(out, probe)
	}
	return out
}

// faults returns the faults of the rows that answer only a part.
func faults() []result.Fault {
	out := []result.Fault{
		{
			Scenario: "StaticAll", Router: "go-restful", Route: "GET /gopher/gophercolor16x16.png", Request: "GET /gopher/gophercolor16x16.png",
			Reason: "status 404, want 200",
		},
		{Scenario: "MethodNotAllowed", Router: "martini", Request: "PUT /user", Reason: "status 404, want 405"},
	}
	for _, path := range []string{
		"/gists/public", "/gists/starred", "/repos/{owner}/{repo}/git/refs/{ref...}", "/user/repos", "/user/orgs", "/user/keys/{id}",
		"/users/{user}/keys", "/search/code", "/search/users", "/legacy/issues/search/{owner}", "/feeds", "/events", "/emojis|all",
	} {
		out = append(out, result.Fault{
			Scenario: "GithubAll", Router: "httprouter", Route: "GET " + path, Source: "github.routes:12",
			Reason: "wildcard segment ':id' conflicts with existing children in path '" + path + "'",
		})
	}
	return out
}
