import lines from 'virtual:routes'
import { ApiFailure, createClient, type Routes } from '../../client/client.ts'
import type { ErrorBody } from '../../contract/errors.ts'
import type { Contract } from '../../contract/index.ts'
import type { GroupOf, RouteModule } from '../bundling/contract-routes.ts'
import { queryClient } from './query-client.ts'
import { recordOutage, setReachable } from './reachability.ts'
import { invalidFieldsIn, methodsIn, requestStepUp } from './step-up.ts'

/** Routes in a virtual module that loads with its pages. */
export type LateContract<M extends RouteModule> = Pick<Contract, GroupOf<M>>
type EarlyContract = Omit<Contract, GroupOf<RouteModule>>
type RouteLines = Record<string, Record<string, string>>

/** Opens the step-up dialog where needed, and sign-in when the session has ended. */
export const signedInApi = <C>(routeLines: RouteLines) =>
  createClient<C>(readRoutes(routeLines), { baseUrl: '', fetch: observedFetch, retry: recover })

export const api = signedInApi<EarlyContract>(lines)
export type Api = typeof api

/** For signed-out pages, which show a 401 as an error. */
export const publicApi = createClient<EarlyContract>(readRoutes(lines), { baseUrl: '', fetch: observedFetch })

/** The headers contain the guest token. */
export const guestApi = (headers: () => Record<string, string>) =>
  createGuestApi<EarlyContract>(lines, headers)

export const createGuestApi = <C>(routeLines: RouteLines, headers: () => Record<string, string>) =>
  createClient<C>(readRoutes(routeLines), { baseUrl: '', fetch: observedFetch, headers })

/** One line per route; see `bundling/contract-routes.ts`. */
function readRoutes<C>(groups: RouteLines): Routes<C> {
  const read = (members: Record<string, string>) =>
    Object.fromEntries(Object.entries(members).map(([name, line]) => [name, readRoute(line)]))
  return Object.fromEntries(
    Object.entries(groups).map(([group, members]) => [group, read(members)]),
  ) as Routes<C>
}

function readRoute(line: string) {
  const [verb, path, ...query] = line.split(' ')
  const [method, afterMark] = verb!.split('!')
  return { method, path, query, envelope: afterMark === '' }
}

let handleSignedOut = () => {}

/** Sets the handler for requests refused because the session has ended. */
export function onSignedOut(handler: () => void) {
  handleSignedOut = handler
}

export const openSignIn = () => handleSignedOut()

/** Reports invalid fields first, so users step up only for a form that can be saved. */
async function recover(failure: ApiFailure): Promise<boolean> {
  const invalidFields = invalidFieldsIn(failure)
  if (invalidFields)
    throw new ApiFailure(400, { code: 'BAD_REQUEST', message: failure.message, details: invalidFields })
  if (failure.reason === 'step_up_required') return requestStepUp(methodsIn(failure))
  if (failure.code === 'UNAUTHORIZED') handleSignedOut()
  // The refetched session contains the suspension, and its page replaces this one.
  if (failure.reason === 'organization_suspended')
    void queryClient.invalidateQueries({ queryKey: ['session'] })
  return false
}

async function observedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    const response = await fetch(input, init)
    setReachable(true)
    if (response.status === 503) void recordOutageReason(response.clone())
    return response
  } catch (error) {
    if (!init?.signal?.aborted) setReachable(false)
    throw error
  }
}

/** Ignores a proxy's response, which may have a different body. */
async function recordOutageReason(response: Response): Promise<void> {
  const body = (await response.json().catch(() => null)) as ErrorBody | null
  const details = body?.error?.details
  if (details && !Array.isArray(details)) recordOutage(details.reason)
}
