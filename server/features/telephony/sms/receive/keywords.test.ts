import { expect, test } from 'vitest'
import { parseKeyword } from './keywords.ts'

test.each([
  ['STOP', 'stop'],
  ['  stop\n', 'stop'],
  ['sToP', 'stop'],
  ['S T O P', 'stop'],
  ['Stop.', 'stop'],
  ['“STOP”', 'stop'],
  ['STOP!!', 'stop'],
  ['stop\u200b', 'stop'],
  ['\u00a0stop all', 'stop'],
  ['Opt-out', 'stop'],
  ['opt out', 'stop'],
  ['ＳＴＯＰ', 'stop'],
  ['Arrêt', 'stop'],
  ['stopp', 'stop'],
  ['baja', 'stop'],
  ['Alto', 'stop'],
  ['parar', 'stop'],
  ['стоп', 'stop'],
  ['Unstop', 'start'],
  ['yes', 'start'],
  ['info?', 'help'],
  ['Aide', 'help'],
])('%j is the keyword %s', (body, keyword) => {
  expect(parseKeyword(body)).toBe(keyword)
})

test.each([
  '',
  ' ',
  '.',
  'please stop by',
  'stop it',
  'the end',
  'STOP SIGN',
  'yes please',
  'stopstop',
  '\0',
])('%j is a message', (body) => {
  expect(parseKeyword(body)).toBeNull()
})
