import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { fence } from './fence.ts'

const ROOT = join(import.meta.dirname, '../..')
/** `test/echo` and `test/script` are models. */
const PATH =
  /`((?:bench|cli|client|contract|dashboard|docs|migrations|server|test(?!\/(?:echo|script)`))\/[\w./-]*)`/g

describe('documents', () => {
  test('every path that a document names exists', () => {
    fence(
      'a document that names a moved file misleads its reader',
      globSync('{*.md,docs/**/*.md}', { cwd: ROOT }).flatMap((document) =>
        [...readFileSync(join(ROOT, document), 'utf8').matchAll(PATH)]
          .map(([, path]) => path!)
          .filter((path) => !existsSync(join(ROOT, path)))
          .map((path) => `${document}: ${path}`),
      ),
    )
  })
})
