import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathOf } from './catalogue.ts'

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(?!type\b)[^'"]*?from\s+'([^']+)'|(?:^|\n)import\s+'([^']+)'|\bimport\('([^']+)'\)/g

/** The modules that the dashboard imports, as paths of the repository with their source: those of the bundle. */
export function bundledModules(entry: string): Map<string, string> {
  const modules = new Map<string, string>()
  const queue = [entry]
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (modules.has(pathOf(file))) continue
    const code = readFileSync(file, 'utf8')
    modules.set(pathOf(file), code)
    for (const [, named, bare, lazy] of code.matchAll(IMPORT)) {
      const target = named ?? bare ?? lazy!
      if (/^\..*\.tsx?$/.test(target)) queue.push(join(dirname(file), target))
    }
  }
  return modules
}
