import type { Endpoint, OutputOf } from '../../contract/endpoint.ts'
import { endpointName } from '../../contract/index.ts'
import { ApiError } from '../errors.ts'
import type { EndpointInput, ToolCall } from './tool.ts'

type Invoker = Pick<ToolCall, 'invoke'>

/** Calls as the run. Returns the output without its envelope. */
export async function callEndpoint<E extends Endpoint>(
  { invoke }: Invoker,
  endpoint: E,
  input: EndpointInput = {},
): Promise<OutputOf<E>> {
  const body = await invoke(endpointName(endpoint)!, input)
  return (endpoint.envelope ? (body as { data: unknown }).data : body) as OutputOf<E>
}

/** Null if the record doesn't exist for the run. */
export async function findByEndpoint<E extends Endpoint>(
  call: Invoker,
  endpoint: E,
  input: EndpointInput,
): Promise<OutputOf<E> | null> {
  return callEndpoint(call, endpoint, input).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return null
    throw error
  })
}
