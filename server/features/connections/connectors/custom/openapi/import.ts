import { CUSTOM_CONNECTOR_LIMITS } from '../../../../../../contract/connections/connector-options.ts'
import type { customConnectors } from '../../../../../../contract/connections/custom-connectors.ts'
import { toDisplayName } from '../../../../../../contract/display-name.ts'
import type { InputOf } from '../../../../../../contract/endpoint.ts'
import type { Context } from '../../../../../context.ts'
import { badField, raise } from '../../../../../errors.ts'
import { addConnector } from '../manage.ts'
import { listOperations, type Operation } from './operations.ts'
import { isObject, type OpenapiDocument, readDocument } from './read-document.ts'
import { toPlainLine } from './resolve.ts'
import { findAuth, findBaseUrl } from './servers-and-auth.ts'

const DESCRIPTION_CHARACTERS = 300

export async function readOpenapi(
  ctx: Context<'outbound'>,
  input: InputOf<typeof customConnectors.readOpenapi>,
) {
  const document = await readDocument(ctx, input)
  const { auth, problem: authProblem } = findAuth(document)
  return {
    ...infoOf(document),
    baseUrl: findBaseUrl(document),
    auth,
    authProblem,
    operations: listOperations(document.root),
  }
}

/** The request's fields override the document. */
export async function importOpenapi(
  ctx: Context<'outbound'>,
  input: InputOf<typeof customConnectors.importOpenapi>,
) {
  const document = await readDocument(ctx, input)
  const info = infoOf(document)
  const operations = new Map(listOperations(document.root).map((operation) => [operation.id, operation]))
  const tools = input.operations.map((id, index) => toolOf(operations.get(id), index))
  const { auth, problem } = findAuth(document)
  const name = input.name ?? (toDisplayName(info.title, CUSTOM_CONNECTOR_LIMITS.name) || 'Connector')
  const settings = {
    name,
    description: input.description ?? (info.description || `The API ${name}`),
    category: 'other' as const,
    docsUrl: null,
    baseUrl:
      input.baseUrl ??
      findBaseUrl(document) ??
      raise(badField('body.baseUrl', 'is required: the document names no https server')),
    headers: {},
    auth: input.auth ?? auth ?? raise(badField('body.auth', `is required. ${problem}`)),
    check: input.check ?? null,
    retryAfter: null,
    errorFields: null,
    tools,
  }
  return addConnector(ctx, settings, input.slug)
}

function toolOf(operation: Operation | undefined, index: number) {
  const field = `body.operations.${index}`
  if (!operation) throw badField(field, 'must be an operation id in the document')
  return operation.tool ?? raise(badField(field, `cannot be a tool. ${operation.problem}`))
}

function infoOf({ root: { info } }: OpenapiDocument) {
  const { title, description, summary } = isObject(info) ? info : {}
  return {
    title: toPlainLine(title, 200),
    description:
      toPlainLine(summary, DESCRIPTION_CHARACTERS) || toPlainLine(description, DESCRIPTION_CHARACTERS),
  }
}
