import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const FOLDERS = '{contract,client,markdown,server,dashboard,cli,bench,test}'

export interface Import {
  from: string
  /** A path in the project, or the name of a package. */
  to: string
  /** Erased at run time, so a type import may cross boundaries that a value import may not. */
  isType: boolean
  /** Loaded when it is first needed, after both files have been evaluated. */
  isLazy: boolean
}

/** Code and styles including tests, without build output and installed packages. */
export const codeFiles = globSync(`${FOLDERS}/**/*.{ts,tsx,js,css}`, {
  cwd: ROOT,
  exclude: ['**/dist', '**/node_modules'],
})
export const files = codeFiles.filter((file) => /\.tsx?$/.test(file))
const isTest = (file: string) => /\.test\.tsx?$|\/testing\/|^test\/|\/testing\.ts$/.test(file)
export const sources = files.filter((file) => !isTest(file))
export const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')
export const productImports = sources.flatMap(importsOf)

export function importsOf(file: string): Import[] {
  const text = textOf(file)
  const pattern =
    /^(?:import|export)\s+(type\s+)?(?:[\s\S]*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/gm
  return [...text.matchAll(pattern)].map(([, type, named, dynamic]) => {
    const specifier = (named ?? dynamic)!
    const to = specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier
    return { from: file, to, isType: type !== undefined, isLazy: dynamic !== undefined }
  })
}
