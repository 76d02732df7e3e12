import { dictionary } from '../../../../contract/dictionary.ts'

type Value = string | number | boolean | undefined

export interface Verb {
  name: string
  attributes?: Readonly<Record<string, Value>>
  children?: readonly (Verb | string)[]
}

/** Escaped: no text or attribute becomes an element. */
export const twiml = (...verbs: readonly Verb[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>${element({ name: 'Response', children: verbs })}`

export const say = (text: string, language: string): Verb => ({
  name: 'Say',
  attributes: { language },
  children: [text],
})

export const hangUp: Verb = { name: 'Hangup' }

function element({ name, attributes = {}, children = [] }: Verb): string {
  const pairs = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeXml(String(value))}"`],
  )
  const content = children.map((child) => (typeof child === 'string' ? escapeXml(child) : element(child)))
  return content.length === 0
    ? `<${name}${pairs.join('')}/>`
    : `<${name}${pairs.join('')}>${content.join('')}</${name}>`
}

const ENTITIES: Record<string, string> = dictionary({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
})

/** XML 1.0 can't express most control characters and noncharacters. */
const escapeXml = (text: string) =>
  text
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]|\p{NChar}/gu, '')
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!)
