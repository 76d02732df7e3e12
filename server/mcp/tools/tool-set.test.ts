import { describe, expect, test } from 'vitest'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { type EndpointName, endpointsByName } from '../../../contract/index.ts'
import { ANNOTATIONS, COVERED_BY_TOOLS, ENDPOINTS_OF_TOOLS } from './annotations.ts'
import { TOOL_SETS } from './tool-set.ts'

const { read, write } = TOOL_SETS
const endpoint = (name: EndpointName): Endpoint => endpointsByName[name]
const toolEndpoints = (Object.keys(endpointsByName) as EndpointName[]).filter((name) => endpoint(name).tool)
const namesOf = ({ list }: typeof read) => list.map(({ name }) => name)

test('the tools reach every endpoint marked as a tool, directly or as an action', () => {
  expect(toolEndpoints.filter((name) => !COVERED_BY_TOOLS.has(name) && !write.actions.has(name))).toEqual([])
  const actions = [...write.actions.keys()] as EndpointName[]
  expect(actions.filter((name) => !toolEndpoints.includes(name))).toEqual([])
  for (const name of Object.keys(ENDPOINTS_OF_TOOLS)) expect(write.byName.has(name)).toBe(true)
})

test('the tools offer no endpoint that requires a browser', () => {
  const offered = [...Object.values(ENDPOINTS_OF_TOOLS).flat(), ...write.actions.keys()] as EndpointName[]
  expect(offered.filter((name) => endpoint(name).access.kind !== 'member')).toEqual([])
})

test('the tool list costs less than 7,950 tokens, at three characters per token', () => {
  // Tokenizers of GPT and Claude need about four characters per token for JSON in English: three is an upper bound.
  expect(JSON.stringify(write.list).length / 3).toBeLessThan(7950)
})

test("readers' tools will be a subset in the same order", () => {
  expect(namesOf(write)).toHaveLength(30)
  expect(namesOf(write)).toEqual(Object.keys(ANNOTATIONS))
  expect(namesOf(read)).toEqual(namesOf(write).filter((name) => namesOf(read).includes(name)))
  for (const name of ['edit_canvas', 'write_file', 'start_run']) expect(namesOf(read)).not.toContain(name)
  for (const name of read.actions.keys()) expect(endpoint(name as EndpointName).method).toBe('GET')
})

describe.each(Object.entries(ENDPOINTS_OF_TOOLS))('%s', (name, endpoints) => {
  const methods = endpoints.map((each) => endpoint(each).method)
  const hints = ANNOTATIONS[name]!

  test('has annotations that match its endpoints', () => {
    expect(hints.readOnlyHint ?? false).toBe(methods.every((method) => method === 'GET'))
    if (!hints.readOnlyHint) expect(hints.destructiveHint).toBe(methods.includes('DELETE'))
  })
})

test.each(write.list)('$name has a name, a description and a schema that clients accept', (tool) => {
  expect(tool.name).toMatch(/^[a-z_]{1,64}$/)
  expect(tool.description).toMatch(/^[A-Z].{30,300}\.$/)
  expect(tool.description).not.toMatch(/this run/)
  expect(JSON.stringify(tool.inputSchema)).not.toMatch(/this run/)
  expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
})
