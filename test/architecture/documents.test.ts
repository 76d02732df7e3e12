import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'vitest'
import { fence } from './fence.ts'

const ROOT = join(import.meta.dirname, '../..')
/** `test/echo` and `test/script` are models. */
const PATH =
  /`((?:bench|cli|client|contract|dashboard|docs|markdown|migrations|server|test(?!\/(?:echo|script)`))\/[\w./-]*)`/g

const documents = globSync('{*.md,docs/**/*.md,bench/*.md,examples/**/*.md}', { cwd: ROOT })
const textOf = (document: string) => readFileSync(join(ROOT, document), 'utf8')

describe('documents', () => {
  test('every link between documents leads to a file', () => {
    fence(
      'a link to a moved file misleads its reader',
      documents.flatMap((document) =>
        [...textOf(document).matchAll(/\]\(([\w.-][^)#\s:]*)(?:#[^)]*)?\)/g)]
          .map(([, target]) => target!)
          .filter((target) => !existsSync(join(ROOT, dirname(document), target)))
          .map((target) => `${document}: ${target}`),
      ),
    )
  })

  test('every path a document names exists', () => {
    fence(
      'a document that names a moved file misleads its reader',
      documents.flatMap((document) =>
        [...textOf(document).matchAll(PATH)]
          .map(([, path]) => path!)
          .filter((path) => !existsSync(join(ROOT, path)))
          .map((path) => `${document}: ${path}`),
      ),
    )
  })

  test('every group has its decisions, and DECISIONS.md lists them', () => {
    const groups = [...readdirSync(join(ROOT, 'server/features')), 'everywhere']
    fence(
      'a reader looks for a decision in the document of its group',
      groups
        .map((group) => `docs/decisions/${group}.md`)
        .filter((path) => !existsSync(join(ROOT, path)) || !textOf('DECISIONS.md').includes(`(${path})`)),
    )
  })
})
