// Prints what HashiCorp's implementation reads in HCL files: a path per line on stdin, a JSON object per line on stdout.
// Expressions are arrays in the shape that scripts/conformance-hcl.mjs gives those of vmlint; positions count bytes.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"math"
	"os"
	"sort"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

type list []any

type attribute struct {
	Path  string          `json:"path"`
	Name  string          `json:"name"`
	Start int             `json:"start"`
	Value [2]int          `json:"value"`
	Tree  any             `json:"tree"`
	Known json.RawMessage `json:"known,omitempty"`
}

type block struct {
	Path  string `json:"path"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

type report struct {
	File       string      `json:"file"`
	Errors     []string    `json:"errors"`
	Attributes []attribute `json:"attributes"`
	Blocks     []block     `json:"blocks"`
}

func main() {
	paths := bufio.NewScanner(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for paths.Scan() {
		if err := encoder.Encode(read(paths.Text())); err != nil {
			log.Fatal(paths.Text(), ": ", err)
		}
	}
}

func read(path string) report {
	text, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	parsed, diagnostics := hclsyntax.ParseConfig(text, path, hcl.InitialPos)
	found := report{File: path, Errors: []string{}, Attributes: []attribute{}, Blocks: []block{}}
	for _, diagnostic := range diagnostics {
		if diagnostic.Severity == hcl.DiagError {
			found.Errors = append(found.Errors, diagnostic.Summary)
		}
	}
	if len(found.Errors) == 0 {
		found.body("", parsed.Body.(*hclsyntax.Body))
	}
	return found
}

func (found *report) body(path string, body *hclsyntax.Body) {
	for name, attr := range body.Attributes {
		span := attr.Expr.Range()
		entry := attribute{Path: path, Name: name, Start: attr.NameRange.Start.Byte, Tree: tree(attr.Expr)}
		entry.Value = [2]int{span.Start.Byte, span.End.Byte}
		if value, diagnostics := attr.Expr.Value(nil); !diagnostics.HasErrors() && value.IsWhollyKnown() {
			if known, err := ctyjson.Marshal(value, value.Type()); err == nil {
				entry.Known = known
			}
		}
		found.Attributes = append(found.Attributes, entry)
	}
	for _, child := range body.Blocks {
		inner := path + "/" + child.Type
		for _, label := range child.Labels {
			inner += "." + label
		}
		found.Blocks = append(found.Blocks, block{inner, child.TypeRange.Start.Byte, child.CloseBraceRange.End.Byte})
		found.body(inner, child.Body)
	}
	sort.Slice(found.Attributes, func(i, j int) bool { return found.Attributes[i].Start < found.Attributes[j].Start })
	sort.Slice(found.Blocks, func(i, j int) bool { return found.Blocks[i].Start < found.Blocks[j].Start })
}

func constant(value cty.Value) any {
	switch {
	case value.IsNull():
		return list{"literal", nil}
	case value.Type() == cty.Number:
		number, _ := value.AsBigFloat().Float64()
		if math.IsInf(number, 0) { // as JSON.stringify writes it
			return list{"literal", nil}
		}
		return list{"literal", number}
	case value.Type() == cty.Bool:
		return list{"literal", value.True()}
	default:
		return list{"template", list{"text", value.AsString()}}
	}
}

func traverse(of any, steps hcl.Traversal) any {
	for _, step := range steps {
		switch step := step.(type) {
		case hcl.TraverseAttr:
			of = list{"attribute", of, step.Name}
		case hcl.TraverseIndex:
			of = list{"index", of, constant(step.Key)}
		default:
			of = list{fmt.Sprintf("%T", step), of}
		}
	}
	return of
}

// Template parts that are no text are interpolations; directives are told by what they wrap.
func part(expr hclsyntax.Expression) any {
	if text, is := expr.(*hclsyntax.LiteralValueExpr); is && text.Val.Type() == cty.String {
		return list{"text", text.Val.AsString()}
	}
	return list{"interpolation", tree(expr)}
}

func trees[E hclsyntax.Expression](kind string, exprs []E) list {
	all := list{kind}
	for _, expr := range exprs {
		all = append(all, tree(expr))
	}
	return all
}

var operators = map[*hclsyntax.Operation]string{
	hclsyntax.OpLogicalOr: "||", hclsyntax.OpLogicalAnd: "&&", hclsyntax.OpEqual: "==", hclsyntax.OpNotEqual: "!=",
	hclsyntax.OpLessThan: "<", hclsyntax.OpLessThanOrEqual: "<=", hclsyntax.OpGreaterThan: ">", hclsyntax.OpGreaterThanOrEqual: ">=",
	hclsyntax.OpAdd: "+", hclsyntax.OpSubtract: "-", hclsyntax.OpMultiply: "*", hclsyntax.OpDivide: "/", hclsyntax.OpModulo: "%",
	hclsyntax.OpLogicalNot: "!", hclsyntax.OpNegate: "-",
}

func tree(expr hclsyntax.Expression) any {
	switch expr := expr.(type) {
	case nil:
		return nil
	case *hclsyntax.LiteralValueExpr:
		return constant(expr.Val)
	case *hclsyntax.ScopeTraversalExpr:
		return traverse(list{"variable", expr.Traversal.RootName()}, expr.Traversal[1:])
	case *hclsyntax.RelativeTraversalExpr:
		return traverse(tree(expr.Source), expr.Traversal)
	case *hclsyntax.IndexExpr:
		return list{"index", tree(expr.Collection), tree(expr.Key)}
	case *hclsyntax.SplatExpr:
		return list{"splat", tree(expr.Source), tree(expr.Each)}
	case *hclsyntax.AnonSymbolExpr:
		return list{"splat-item"}
	case *hclsyntax.FunctionCallExpr:
		return list{"call", expr.Name, trees("arguments", expr.Args), expr.ExpandFinal}
	case *hclsyntax.TupleConsExpr:
		return trees("tuple", expr.Exprs)
	case *hclsyntax.ObjectConsExpr:
		object := list{"object"}
		for _, item := range expr.Items {
			object = append(object, list{tree(item.KeyExpr), tree(item.ValueExpr)})
		}
		return object
	case *hclsyntax.ObjectConsKeyExpr:
		if name := hcl.ExprAsKeyword(expr.Wrapped); name != "" {
			return list{"template", list{"text", name}}
		}
		return tree(expr.Wrapped)
	case *hclsyntax.ForExpr:
		return list{"for", expr.KeyVar, expr.ValVar, tree(expr.CollExpr), tree(expr.KeyExpr), tree(expr.ValExpr), tree(expr.CondExpr), expr.Group}
	case *hclsyntax.ConditionalExpr:
		return list{"conditional", tree(expr.Condition), tree(expr.TrueResult), tree(expr.FalseResult)}
	case *hclsyntax.BinaryOpExpr:
		return list{"binary", operators[expr.Op], tree(expr.LHS), tree(expr.RHS)}
	case *hclsyntax.UnaryOpExpr:
		return list{"unary", operators[expr.Op], tree(expr.Val)}
	case *hclsyntax.ParenthesesExpr:
		return list{"parentheses", tree(expr.Expression)}
	case *hclsyntax.TemplateExpr:
		template := list{"template"}
		for _, inner := range expr.Parts {
			template = append(template, part(inner))
		}
		return template
	case *hclsyntax.TemplateWrapExpr:
		return list{"template", list{"interpolation", tree(expr.Wrapped)}}
	case *hclsyntax.TemplateJoinExpr:
		return list{"join", tree(expr.Tuple)}
	default:
		return list{fmt.Sprintf("%T", expr)}
	}
}
