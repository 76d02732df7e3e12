import { readSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import {
  MANIFEST_BYTES_WITHOUT_ROWS_MAX,
  projectExport,
  ManifestRow as RowSchema,
} from '../../../../contract/projects/project-export.ts'
import type { Call } from '../../../endpoint/call.ts'
import { compileParser, parseAt } from '../../../endpoint/parse.ts'
import type { BodyFile } from '../../../endpoint/route.ts'
import { ApiError, badField } from '../../../errors.ts'
import { checkManifest } from './check-manifest.ts'
import type { Manifest } from './manifest.ts'
import type { ManifestMessage } from './manifest-thread.ts'
import type { ManifestRow } from './pack-rows.ts'
import { notJson, type SplitManifest, splitRows } from './split-rows.ts'

/** Sends parts on request, so the receiving thread does other work in between. */
const PART_ITEMS = 200
const LISTS = ['blocks', 'edges', 'files', 'memory'] as const

const { file, call } = workerData as { file: BodyFile; call: Call }
const parts = partsOf()
const send = () => {
  const message = parts.next().value satisfies ManifestMessage
  parentPort!.postMessage(message, 'rows' in message ? [message.rows.buffer as ArrayBuffer] : [])
}
parentPort!.on('message', send)
send()

function* partsOf(): Generator<ManifestMessage, ManifestMessage> {
  try {
    const split = splitRows(readBody(file))
    if (split.rest.length > MANIFEST_BYTES_WITHOUT_ROWS_MAX)
      throw new ApiError('PAYLOAD_TOO_LARGE', 'The manifest without rows exceeds this endpoint’s size limit')
    const input = compileParser(projectExport.restore)({ ...call, body: parseJson(split.rest) })
    const { projectId, dryRun, mode, planHash, ...given } = input
    const manifest = checkManifest(given as Manifest, (table) => rowsOf(split, table))
    const { blocks: _, edges: __, files: ___, memory: ____, tables, ...fields } = manifest
    const withoutRows = tables && { tables: tables.map((table) => ({ ...table, rows: [] })) }
    yield { fields: { projectId, dryRun, mode, planHash, ...fields, ...withoutRows } }
    for (const list of LISTS) {
      for (let at = 0; at < manifest[list].length; at += PART_ITEMS)
        yield { list, items: manifest[list].slice(at, at + PART_ITEMS) }
    }
    for (const [table, { rows }] of (tables ?? []).entries())
      for (const part of rows) yield { table, rows: part }
    return { isComplete: true }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { error: { code: error.code, message: error.message, details: error.details } }
  }
}

function* rowsOf({ rowTexts }: SplitManifest, table: number): Generator<ManifestRow> {
  let index = 0
  for (const text of rowTexts(table))
    yield parseAt(RowSchema, ['body', 'tables', table, 'rows', index++], parseJson(text))
}

function readBody({ fd, bytes }: BodyFile): Buffer {
  const content = Buffer.allocUnsafe(bytes)
  for (let at = 0; at < bytes; ) {
    const count = readSync(fd, content, at, bytes - at, at)
    if (count === 0) throw new Error('A body’s file is shorter than expected')
    at += count
  }
  return content
}

function parseJson(json: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw notJson()
  }
  if (hasForbiddenKey(value))
    throw badField('body', 'must not have a key named __proto__, constructor or prototype')
  return value
}

/** Keys that could pollute Object.prototype. Uses a stack, since nesting isn't limited. */
function hasForbiddenKey(root: unknown): boolean {
  const stack = [root]
  while (stack.length > 0) {
    const value = stack.pop()
    if (typeof value !== 'object' || value === null) continue
    if (Object.hasOwn(value, '__proto__')) return true
    for (const [key, item] of Object.entries(value)) {
      if (typeof item !== 'object' || item === null) continue
      if (key === 'constructor' && Object.hasOwn(item, 'prototype')) return true
      stack.push(item)
    }
  }
  return false
}
