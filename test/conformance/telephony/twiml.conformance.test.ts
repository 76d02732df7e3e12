import { DOMParser } from '@xmldom/xmldom'
import fc from 'fast-check'
import twilio from 'twilio'
import { describe, expect, test } from 'vitest'
import { hangUp, say, twiml, type Verb } from '../../../server/features/telephony/carrier/twiml.ts'

interface Tree {
  name: string
  attributes: Record<string, string>
  children: (Tree | string)[]
}

/** Parses a document as XML; every deviation from the standard is an error. */
function treeOf(xml: string): Tree {
  const errorHandler = (level: string, message: string) => {
    throw new Error(`${level}: ${message}`)
  }
  const { documentElement } = new DOMParser({ errorHandler }).parseFromString(xml, 'text/xml')
  return elementTree(documentElement)
}

const elementTree = (element: Element): Tree => ({
  name: element.tagName,
  attributes: Object.fromEntries(Array.from(element.attributes).map(({ name, value }) => [name, value])),
  children: Array.from(element.childNodes).map((node) =>
    node.nodeType === 1 ? elementTree(node as Element) : (node.nodeValue ?? ''),
  ),
})

describe('TwiML', () => {
  const { VoiceResponse } = twilio.twiml
  const documents: [string, string, (response: InstanceType<typeof VoiceResponse>) => unknown][] = [
    [
      'a sentence and the end',
      twiml(say('Tom & “Ann” <a@b.c> say: it\'s "done"', 'en-US'), hangUp),
      (response) => {
        response.say({ language: 'en-US' }, 'Tom & “Ann” <a@b.c> say: it\'s "done"')
        response.hangup()
      },
    ],
    [
      'a conversation',
      twiml({
        name: 'Connect',
        attributes: { action: 'https://a.example/x?number=1&call=2' },
        children: [
          {
            name: 'ConversationRelay',
            attributes: {
              url: 'wss://a.example/r?token=1',
              welcomeGreeting: 'Hi',
              language: 'de-DE',
              dtmfDetection: true,
            },
          },
        ],
      }),
      (response) =>
        response.connect({ action: 'https://a.example/x?number=1&call=2' }).conversationRelay({
          url: 'wss://a.example/r?token=1',
          welcomeGreeting: 'Hi',
          language: 'de-DE',
          dtmfDetection: true,
        }),
    ],
    [
      'a conference',
      twiml({
        name: 'Dial',
        attributes: { timeout: 20 },
        children: [
          {
            name: 'Conference',
            attributes: { startConferenceOnEnter: true, endConferenceOnExit: false },
            children: ['c1'],
          },
        ],
      }),
      (response) =>
        response
          .dial({ timeout: 20 })
          .conference({ startConferenceOnEnter: true, endConferenceOnExit: false }, 'c1'),
    ],
    [
      'a recording, and a rejection',
      twiml(
        { name: 'Record', attributes: { maxLength: 120, playBeep: true } },
        { name: 'Reject', attributes: { reason: 'busy' } },
      ),
      (response) => {
        response.record({ maxLength: 120, playBeep: true })
        response.reject({ reason: 'busy' })
      },
    ],
  ]

  test.each(documents)("equals the output from Twilio's own library: %s", (_, written, write) => {
    const response = new VoiceResponse()
    write(response)
    expect(treeOf(written)).toEqual(treeOf(response.toString()))
  })

  test('contains every text and attribute as given, and no other element', () => {
    const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code))
    const any = fc.string({ unit, maxLength: 40 })
    const hostile = fc.constantFrom(
      '</Say><Dial>+1900</Dial>',
      ']]>',
      '<!--',
      '"><Hangup/>',
      '&lt;',
      '\u0000\uFFFF',
      '\uD800',
    )
    const text = fc.oneof(
      any,
      hostile,
      fc.tuple(hostile, any).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, text, (spoken, attribute) => {
        const verb: Verb = { name: 'Say', attributes: { voice: attribute }, children: [spoken] }
        const [child, ...others] = treeOf(twiml(verb)).children
        expect(others).toEqual([])
        const { attributes, children } = child as Tree
        expect(Object.keys(attributes)).toEqual(['voice'])
        const texts = children.filter((each) => typeof each === 'string')
        expect(texts).toHaveLength(children.length)
        expect(texts.join('')).toBe(asParsed(spoken))
        // A parser reads line breaks and tabs in an attribute as spaces.
        expect(attributes.voice).toBe(asParsed(attribute).replace(/[\t\n]/g, ' '))
      }),
      { numRuns: 100 },
    )
  })
})

/** The expected text after parsing: the characters that XML 1.0 allows, with one kind of line break. */
const asParsed = (text: string) =>
  [...text.toWellFormed()]
    .filter((character) => {
      const code = character.codePointAt(0)!
      const isControl = code < 0x20 ? ![0x9, 0xa, 0xd].includes(code) : code >= 0x7f && code <= 0x9f
      const isNoncharacter = (code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) === 0xfffe
      return !isControl && !isNoncharacter
    })
    .join('')
    .replace(/\r\n?/g, '\n')
