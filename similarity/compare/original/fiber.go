package original

import (
	"encoding/json"

	"github.com/buger/jsonparser"
	"github.com/gofiber/fiber/v3"
)

// Fiber returns the service of [Pipeline.Handler] on fiber. If parse is set, the two strings
// are read with jsonparser; otherwise with encoding/json.
func (p Pipeline) Fiber(parse bool) *fiber.App {
	read := readJSON
	if parse {
		read = parseJSON
	}
	app := fiber.New(fiber.Config{BodyLimit: maxBody})
	app.Post("/similarity", func(c fiber.Ctx) error {
		text1, text2, ok := read(c.Body())
		if !ok {
			return c.Status(fiber.StatusBadRequest).SendString("send a JSON object with the strings text1 and text2")
		}
		similarity := p.Similarity(text1, text2)
		return c.JSON(answer{similarity, Interpretation(similarity)})
	})
	return app
}

func readJSON(body []byte) (text1, text2 string, ok bool) {
	var in request
	if err := json.Unmarshal(body, &in); err != nil || in.Text1 == nil || in.Text2 == nil {
		return "", "", false
	}
	return *in.Text1, *in.Text2, true
}

func parseJSON(body []byte) (text1, text2 string, ok bool) {
	text1, err1 := jsonparser.GetString(body, "text1")
	text2, err2 := jsonparser.GetString(body, "text2")
	return text1, text2, err1 == nil && err2 == nil
}
