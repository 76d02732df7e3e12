import { readSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { projectExport } from '../../../../contract/projects/project-export.ts'
import type { Call } from '../../../endpoint/call.ts'
import { compileParser } from '../../../endpoint/parse.ts'
import type { BodyFile } from '../../../endpoint/route.ts'
import { ApiError, badField, badRequest } from '../../../errors.ts'
import { checkManifest } from './check-manifest.ts'
import type { Manifest } from './manifest.ts'
import type { ManifestMessage } from './manifest-thread.ts'

/** Sends parts on request, so the receiving thread does other work in between. */
const PART_ITEMS = 200
const LISTS = ['blocks', 'edges', 'files', 'memory'] as const

const { file, call } = workerData as { file: BodyFile; call: Call }
const parts = partsOf()
const send = () => parentPort!.postMessage(parts.next().value satisfies ManifestMessage)
parentPort!.on('message', send)
send()

function* partsOf(): Generator<ManifestMessage, ManifestMessage> {
  try {
    const input = compileParser(projectExport.restore)({ ...call, body: parseJson(textOf(file)) })
    const { projectId, dryRun, mode, planHash, ...given } = input
    const manifest = checkManifest(given as Manifest)
    const { blocks: _, edges: __, files: ___, memory: ____, ...fields } = manifest
    yield { fields: { projectId, dryRun, mode, planHash, ...fields } }
    for (const list of LISTS) {
      for (let at = 0; at < manifest[list].length; at += PART_ITEMS)
        yield { list, items: manifest[list].slice(at, at + PART_ITEMS) }
    }
    return { isComplete: true }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { error: { code: error.code, message: error.message, details: error.details } }
  }
}

function textOf({ fd, bytes }: BodyFile): string {
  const content = Buffer.allocUnsafe(bytes)
  for (let at = 0; at < bytes; ) {
    const count = readSync(fd, content, at, bytes - at, at)
    if (count === 0) throw new Error('A body’s file is shorter than expected')
    at += count
  }
  return content.toString()
}

function parseJson(json: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw badRequest('The body is not valid JSON')
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
