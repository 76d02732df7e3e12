import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, test } from 'vitest'
import { QUOTA_NAMES, QUOTAS } from '../../contract/quotas.ts'
import { readConfig, variableNames } from './config.ts'

const text = readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8')
/** The example with every variable set. */
const example = parseEnv(text.replaceAll(/^#(?=[A-Z])/gm, '')) as Record<string, string>

describe('.env.example', () => {
  test('lists exactly the variables that the server reads', () => {
    expect(Object.keys(example).sort()).toEqual(variableNames().sort())
  })

  test('sets nothing until a line is uncommented', () => {
    expect(parseEnv(text)).toEqual({})
  })

  test('has values that the server accepts', () => {
    const secrets = {
      ATRIUM_OWNER_PASSWORD: 'correct horse battery',
      ATRIUM_OPENAI_API_KEY: 'key',
      ATRIUM_ANTHROPIC_API_KEY: 'key',
      ATRIUM_GOOGLE_API_KEY: 'key',
    }
    expect(readConfig({ ...example, ...secrets }).unused).toEqual([])
  })

  test('shows the default quotas', () => {
    const shown = QUOTA_NAMES.map((name) => [name, Number(example[`ATRIUM_QUOTA_${name.toUpperCase()}`])])
    expect(shown).toEqual(QUOTA_NAMES.map((name) => [name, QUOTAS[name].default]))
  })
})
