import { describe, test } from 'vitest'
import { featureOf, pageOf } from './features.ts'
import { fence } from './fence.ts'
import { cyclesOf, graphOf } from './graph.ts'
import { type Import, productImports, sources } from './imports.ts'

const edges = (imports: Import[], nameOf: (path: string) => string | undefined) =>
  imports.flatMap(({ from, to }): [string, string][] => {
    const [source, target] = [nameOf(from), nameOf(to)]
    return source && target && source !== target ? [[source, target]] : []
  })

describe('features', () => {
  test('features.ts, app.ts and startup/ alone import a feature from outside the features', () => {
    fence(
      'features.ts lists what the product does; a folder below the features that imports one cannot serve the others',
      productImports.filter(
        ({ from, to }) =>
          featureOf(to) &&
          !featureOf(from) &&
          !/^(server\/(features\.ts|app\.ts|startup\/)|bench\/)/.test(from),
      ),
    )
  })

  test('the feature folder graph has no cycle, including type imports', () => {
    fence(
      'two features that need each other are one feature, or share a part that belongs below both',
      cyclesOf(graphOf(edges(productImports, featureOf))),
    )
  })
})

describe('imports', () => {
  test('no files import each other in a cycle, including type imports', () => {
    const sourceSet = new Set(sources)
    const isSource = (path: string) => (sourceSet.has(path) ? path : undefined)
    fence(
      'a type that two files need belongs in the file that both can import',
      cyclesOf(
        graphOf(
          edges(
            productImports.filter(({ isLazy }) => !isLazy),
            isSource,
          ),
        ),
      ),
    )
  })
})

describe('the dashboard', () => {
  test('shared folders never import a page', () => {
    fence(
      'a component, store or API call that needs a page belongs to that page',
      productImports.filter(
        ({ from, to }) =>
          /^dashboard\/(components|state|api|live)\//.test(from) && to.startsWith('dashboard/pages/'),
      ),
    )
  })

  test('the page folder graph has no cycle', () => {
    fence(
      'what two pages need belongs in components/, state/ or api/',
      cyclesOf(graphOf(edges(productImports, pageOf))),
    )
  })
})
