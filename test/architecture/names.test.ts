import { describe, test } from 'vitest'
import { fence } from './fence.ts'
import { sources, textOf } from './imports.ts'

/** Words with several meanings, or unknown to engineers; the glossary in ARCHITECTURE.md has the terms that replaced them. */
const RETIRED = new Set(
  (
    'act acts afresh anybody arrival arrive arrived asked desk departure departures door doors everybody halfway ' +
    'happening hear heard hopeless ink inks journey journeys kin known likeness lived nobody place places room rooms ' +
    'somebody someone story surroundings tell tells ticket tickets told tries turn turns visitor walk wanted ' +
    'whereabouts whoever whose word words'
  ).split(' '),
)

const wordsOf = (name: string) =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[ _-]/)
    .map((word) => word.toLowerCase())

const retiredIn = (name: string) => wordsOf(name).filter((word) => RETIRED.has(word))

describe('names', () => {
  test('no exported name uses a retired word', () => {
    const pattern = /^export (?:async )?(?:abstract )?(?:const|let|function|class|interface|type) (\w+)/gm
    fence(
      'use the field’s own noun; the glossary in ARCHITECTURE.md lists the terms',
      sources.flatMap((file) =>
        [...textOf(file).matchAll(pattern)]
          .map(([, name]) => name!)
          .filter((name) => retiredIn(name).length > 0)
          .map((name) => `${file}: ${name}`),
      ),
    )
  })

  test('no file or folder name uses a retired word', () => {
    fence(
      'a folder listing must read as a list of what the product is made of',
      sources.filter((file) => retiredIn(file.replaceAll(/[/.]/g, '-')).length > 0),
    )
  })
})
