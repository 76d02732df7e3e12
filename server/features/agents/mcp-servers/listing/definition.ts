import type { Tool } from '@modelcontextprotocol/client'
import { MCP_LIMITS } from '../../../../../contract/agents/mcp-server-options.ts'
import { canonicalJson } from '../../../../../contract/canonical-json.ts'
import { schemaProblem, sizeProblem } from '../../../../language-models/tool-schema-problem.ts'
import { sha256 } from '../../../../security/digest.ts'

/** The hash covers it and the name. */
export interface ToolDefinition {
  title: string | null
  description: string
  inputSchema: Record<string, unknown>
  annotations: Record<'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint', boolean | null>
}

const TITLE_CHARACTERS = 200
/**
 * Humans don't see these, but models read them: direction controls, zero-width characters, tags, and variation
 * selectors that encode text. Script and emoji joiners stay.
 */
const INVISIBLE = /(?![\u200c\u200d])\p{Cf}|[\u{e0100}-\u{e01ef}]|[\ufe00-\ufe0f]{2}|[\u2028\u2029]/u

export interface ReadTool {
  name: string
  listed: ToolDefinition
  listedHash: string
  problem: string | null
}

/** Texts are cut at their limits, but the hash covers them whole. */
export function readTool(tool: Tool): ReadTool {
  const { name, title, description = '', annotations = {} } = tool
  const hint = (value: unknown) => (typeof value === 'boolean' ? value : null)
  const tooLarge = sizeProblem(tool.inputSchema)
  const inputSchema = tooLarge ? { type: 'object' } : (tool.inputSchema as Record<string, unknown>)
  const definition = wellFormed({
    title: title ?? annotations.title ?? null,
    description,
    inputSchema,
    annotations: {
      readOnlyHint: hint(annotations.readOnlyHint),
      destructiveHint: hint(annotations.destructiveHint),
      idempotentHint: hint(annotations.idempotentHint),
      openWorldHint: hint(annotations.openWorldHint),
    },
  })
  const lengthProblem =
    description.length > MCP_LIMITS.description
      ? `The description is longer than ${MCP_LIMITS.description} characters`
      : null
  const invisibleProblem = INVISIBLE.test(JSON.stringify(definition))
    ? 'The tool contains invisible characters, which models read but reviewers can’t see'
    : null
  return {
    name,
    listed: {
      ...definition,
      title: definition.title?.slice(0, TITLE_CHARACTERS).toWellFormed() ?? null,
      description: definition.description.slice(0, MCP_LIMITS.description).toWellFormed(),
    },
    listedHash: sha256(canonicalJson({ name, ...definition, tooLarge: tooLarge ?? undefined })).toString(
      'base64url',
    ),
    problem: tooLarge ?? schemaProblem(inputSchema) ?? lengthProblem ?? invisibleProblem,
  }
}

/** Removes characters PostgreSQL can't store. */
function wellFormed<T>(value: T): T
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\ufffd').toWellFormed()
  if (Array.isArray(value)) return value.map((each) => wellFormed(each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [wellFormed(key), wellFormed(child)]))
}
