// Prints what each call in packages of the standard library calls, by the type checker:
//
//	file <path>
//	static <path of call> <offset of call> <path of callee> <offset of its name>
//	interface …                            the same for a method of an interface
//	dynamic <path of call> <offset of call> for a function value
//
// Paths are relative to GOROOT/src; offsets are in bytes. Calls of builtins, conversions and packages that are not
// given are left out.
package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	root := filepath.Join(build.Default.GOROOT, "src")
	if resolved, err := filepath.EvalSymlinks(root); err == nil {
		root = resolved
	}
	build.Default.CgoEnabled = false
	fset := token.NewFileSet()
	source := importer.ForCompiler(fset, "source", nil)
	given := map[string]bool{}
	for _, path := range os.Args[1:] {
		given[path] = true
	}
	for _, path := range os.Args[1:] {
		pkg, err := build.ImportDir(filepath.Join(root, path), 0)
		if err != nil {
			fail(err)
		}
		var files []*ast.File
		for _, name := range pkg.GoFiles {
			file, err := parser.ParseFile(fset, filepath.Join(root, path, name), nil, 0)
			if err != nil {
				fail(err)
			}
			fmt.Fprintln(out, "file", filepath.Join(path, name))
			files = append(files, file)
		}
		info := &types.Info{
			Types:      map[ast.Expr]types.TypeAndValue{},
			Uses:       map[*ast.Ident]types.Object{},
			Selections: map[*ast.SelectorExpr]*types.Selection{},
			Instances:  map[*ast.Ident]types.Instance{},
		}
		config := types.Config{Importer: source, Error: func(error) {}, FakeImportC: true}
		config.Check(path, fset, files, info)
		place := func(pos token.Pos) string {
			position := fset.Position(pos)
			file := position.Filename
			if resolved, err := filepath.EvalSymlinks(file); err == nil {
				file = resolved
			}
			relative, err := filepath.Rel(root, file)
			if err != nil {
				fail(err)
			}
			return fmt.Sprintf("%s %d", relative, position.Offset)
		}
		for _, file := range files {
			ast.Inspect(file, func(node ast.Node) bool {
				call, ok := node.(*ast.CallExpr)
				if !ok || info.Types[call.Fun].IsType() || info.Types[call.Fun].IsBuiltin() {
					return true
				}
				callee := calleeOf(call.Fun, info)
				if callee == nil {
					fmt.Fprintln(out, "dynamic", place(call.Lparen))
				} else if callee.Pkg() != nil && given[callee.Pkg().Path()] {
					kind := "static"
					receiver := callee.Type().(*types.Signature).Recv()
					if receiver != nil && types.IsInterface(receiver.Type()) {
						kind = "interface"
					}
					fmt.Fprintln(out, kind, place(call.Lparen), place(callee.Origin().Pos()))
				}
				return true
			})
		}
	}
}

func calleeOf(expr ast.Expr, info *types.Info) *types.Func {
	switch expr := expr.(type) {
	case *ast.ParenExpr:
		return calleeOf(expr.X, info)
	case *ast.IndexExpr:
		return calleeOf(expr.X, info)
	case *ast.IndexListExpr:
		return calleeOf(expr.X, info)
	case *ast.Ident:
		callee, _ := info.Uses[expr].(*types.Func)
		return callee
	case *ast.SelectorExpr:
		callee, _ := info.Uses[expr.Sel].(*types.Func)
		return callee
	}
	return nil
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
