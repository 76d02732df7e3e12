import lines from 'virtual:routes'
import { ApiFailure, createClient, type Routes } from '../../client/client.ts'
import type { ErrorBody } from '../../contract/errors.ts'
import type { Contract } from '../../contract/index.ts'
import { noteOutage } from './outage.ts'
import { queryClient } from './query-client.ts'
import { setReachable } from './reachability.ts'
import { invalidFieldsIn, methodsIn, requestStepUp } from './step-up.ts'

/** Its routes load with its pages. */
export type TelephonyContract = Pick<
  Contract,
  'telephony' | 'phoneNumbers' | 'calls' | 'sms' | 'routing' | 'voiceAgents'
>
export type PaymentContract = Pick<Contract, 'machinePayments' | 'mandates' | 'paymentProvider'>
export type ScheduleContract = Pick<Contract, 'schedules'>
export type ProjectsContract = Pick<
  Contract,
  'projectExport' | 'favourites' | 'projectBulk' | 'projectPreviews' | 'templates' | 'projectViews'
>
export type OrganizationContract = Pick<
  Contract,
  | 'operatedOrganizations'
  | 'organizationExports'
  | 'erasures'
  | 'quotas'
  | 'orgSettings'
  | 'operations'
  | 'mcpCalls'
  | 'organization'
  | 'modelProviders'
>
export type SkillContract = Pick<Contract, 'skills' | 'guardrails'>
export type FileContract = Pick<Contract, 'fileVersions' | 'publicLinks' | 'fileTrash' | 'fileRetention'>
export type ConnectionContract = Pick<
  Contract,
  'connections' | 'connectors' | 'connectorEndpoints' | 'customConnectors'
>
export type WebhookContract = Pick<Contract, 'webhooks'>
export type McpServerContract = Pick<Contract, 'mcpServers'>
/** The same, with the first comment or the inbox. */
export type CommentContract = Pick<Contract, 'comments' | 'notifications'>
type Called = Omit<
  Contract,
  | keyof TelephonyContract
  | keyof CommentContract
  | keyof McpServerContract
  | keyof OrganizationContract
  | keyof PaymentContract
  | keyof ProjectsContract
  | keyof ScheduleContract
  | keyof SkillContract
  | keyof FileContract
  | keyof ConnectionContract
  | keyof WebhookContract
>
type Lines = Record<string, Record<string, string>>

/** For signed-in pages: opens the step-up dialog where needed, and navigates to sign-in when the session has ended. */
export const signedInApi = <C>(called: Lines) =>
  createClient<C>(readRoutes(called), { baseUrl: '', fetch: observedFetch, retry: recover })

export const api = signedInApi<Called>(lines)
export type Api = typeof api

/** For signed-out pages (setup, sign-in, invitations), which show a 401 as an error. */
export const publicApi = createClient<Called>(readRoutes(lines), { baseUrl: '', fetch: observedFetch })

/** For guests of a share link: the headers carry the guest token. */
export const guestApi = (headers: () => Record<string, string>) => guestApiOf<Called>(lines, headers)

export const guestApiOf = <C>(called: Lines, headers: () => Record<string, string>) =>
  createClient<C>(readRoutes(called), { baseUrl: '', fetch: observedFetch, headers })

/** The routes of a virtual module, one line each; see `bundling/contract-routes.ts`. */
function readRoutes<C>(groups: Lines): Routes<C> {
  const read = (members: Record<string, string>) =>
    Object.fromEntries(Object.entries(members).map(([name, line]) => [name, readRoute(line)]))
  return Object.fromEntries(
    Object.entries(groups).map(([group, members]) => [group, read(members)]),
  ) as Routes<C>
}

function readRoute(line: string) {
  const [verb, path, ...query] = line.split(' ')
  const [method, rest] = verb!.split('!')
  return { method, path, query, envelope: rest === '' }
}

let handleSignedOut = () => {}

/** Sets the handler for a request that finds the session ended. */
export function onSignedOut(handler: () => void) {
  handleSignedOut = handler
}

/** Shows invalid fields first: the person steps up once, for a form that can be saved. */
async function recover(failure: ApiFailure): Promise<boolean> {
  const invalid = invalidFieldsIn(failure)
  if (invalid) throw new ApiFailure(400, { code: 'BAD_REQUEST', message: failure.message, details: invalid })
  if (failure.reason === 'step_up_required') return requestStepUp(methodsIn(failure))
  if (failure.code === 'UNAUTHORIZED') handleSignedOut()
  // The session says why, and its page replaces this one.
  if (failure.reason === 'organization_suspended')
    void queryClient.invalidateQueries({ queryKey: ['session'] })
  return false
}

async function observedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    const response = await fetch(input, init)
    setReachable(true)
    if (response.status === 503) void noteReason(response.clone())
    return response
  } catch (error) {
    if (!init?.signal?.aborted) setReachable(false)
    throw error
  }
}

/** The reason of the error in this response, which may have another body where a proxy sent it. */
async function noteReason(response: Response): Promise<void> {
  const body = (await response.json().catch(() => null)) as ErrorBody | null
  const details = body?.error?.details
  if (details && !Array.isArray(details)) noteOutage(details.reason)
}
