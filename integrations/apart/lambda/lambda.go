// Package lambda serves a mux from AWS Lambda, with github.com/aws/aws-lambda-go for
// function URLs, and github.com/awslabs/aws-lambda-go-api-proxy for API Gateway.
//
//	lambda.Start(adapter.FunctionURL(m)) // a function URL with the invoke mode RESPONSE_STREAM
//	lambda.Start(adapter.APIGateway(m))  // an HTTP API with the payload format 2.0
//
// A function URL with the invoke mode BUFFERED, the default, sends events of the same
// format, and is served by APIGateway too.
//
// Notes:
//
//   - Only a function URL streams, and sends each write at once. There is no Flusher:
//     [http.ResponseController] returns an error for Flush, which a handler may ignore.
//     API Gateway gets the whole answer, of up to 10 MB (Lambda sends 6 MB), as Base64 if
//     it is no UTF-8.
//   - There are no connections, so no WebSockets, no Hijack and no graceful shutdown.
//   - r.RemoteAddr is the address of the client without a port, where
//     [net.SplitHostPort] fails. middleware.ClientIP accepts it. Behind CloudFront,
//     configure trusted proxies as usual.
//   - A panic ends the process of a function URL. Use middleware.Recover.
//   - The context has the deadline of the invocation. Timeout should be shorter, and the
//     limits of RateLimit and Throttle are those of one instance, which has one request at
//     a time.
//   - API Gateway adds the name of a stage to the path, unless that is $default: mount the
//     mux there. The adapter splits values of headers at commas.
//   - The last release of the adapter for API Gateway is of April 2024, and it requires
//     gin, echo, fiber and iris in its go.mod, although a program does not contain them.
package lambda

import (
	"context"
	"net/http"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambdaurl"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"
)

// FunctionURL returns a function of Lambda that answers requests of a function URL as a
// stream.
func FunctionURL(h http.Handler) func(context.Context, *events.LambdaFunctionURLRequest) (*events.LambdaFunctionURLStreamingResponse, error) {
	return lambdaurl.Wrap(h)
}

// APIGateway returns a function of Lambda that answers requests of an HTTP API.
func APIGateway(h http.Handler) func(context.Context, events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
	return httpadapter.NewV2(h).ProxyWithContext
}
