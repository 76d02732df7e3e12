import { ApiFailure } from '../../client/client.ts'
import { LOCALE, t } from '../../contract/text.ts'
import { capitalize } from '../state/label-in-sentence.ts'
import { localizeRule } from './server-rules.ts'

export interface Explanation {
  title: string
  meaning: string
  requestId?: string
  retryable: boolean
}

export function explain(error: unknown): Explanation {
  if (isUnloaded(error)) return UNREACHABLE
  if (!(error instanceof ApiFailure)) {
    return {
      title: t`Something went wrong`,
      meaning: t`The dashboard hit an unexpected error. Reload the page to continue.`,
      retryable: true,
    }
  }
  return { ...describe(error), requestId: error.requestId }
}

export const shortMessage = (error: unknown) =>
  error instanceof ApiFailure ? shortTextOf(error) : explain(error).title

/** Undefined if the user canceled the step-up dialog. */
export const failureMessage = (error: unknown) =>
  error && !isDeclinedStepUp(error) ? shortMessage(error) : undefined

export function fieldMessage(error: unknown, field: string): string | undefined {
  const rule = error instanceof ApiFailure ? error.fieldMessage(`body.${field}`) : undefined
  return rule && (localizeRule(rule) ?? rule)
}

export const isOffline = (error: unknown) => error instanceof ApiFailure && error.code === 'UNREACHABLE'

/** A page or part whose script didn't arrive. Browsers word it differently. */
const isUnloaded = (error: unknown) =>
  error instanceof TypeError && /module script|imported module/i.test(error.message)

export const isDeclinedStepUp = (error: unknown) =>
  error instanceof ApiFailure && error.reason === 'step_up_required'

const UNREACHABLE = {
  title: t`Can’t reach the server`,
  meaning: t`Check your connection, then try again.`,
  retryable: true,
}

function describe(error: ApiFailure): Omit<Explanation, 'requestId'> {
  switch (error.code) {
    case 'UNREACHABLE':
      return UNREACHABLE
    case 'NOT_FOUND':
      return {
        title: t`Not found`,
        meaning: t`It was deleted, or you don’t have access.`,
        retryable: false,
      }
    case 'FORBIDDEN':
      return { title: t`You don’t have access`, meaning: `${error.message}.`, retryable: false }
    case 'RATE_LIMITED':
      return { title: t`Too many requests`, meaning: t`Try again ${retryTime(error)}.`, retryable: true }
    case 'INTERNAL':
      return {
        title: t`Server error`,
        meaning: t`Try again. If the problem persists, send the request ID to your operator.`,
        retryable: true,
      }
    case 'UNAVAILABLE':
      return {
        title: t`Temporarily unavailable`,
        meaning: t`${error.message}. Try again later.`,
        retryable: true,
      }
    case 'INSUFFICIENT_STORAGE':
      return {
        title: t`No storage left`,
        meaning: t`Nothing was saved. Ask your operator to free some disk space.`,
        retryable: true,
      }
    default:
      return { title: t`Request failed`, meaning: `${error.message}.`, retryable: true }
  }
}

function shortTextOf(error: ApiFailure): string {
  if (error.code === 'UNREACHABLE') return t`Can’t reach the server. Check your connection and try again.`
  if (error.reason === 'mail_limit') return `${error.message}.`
  if (error.code === 'RATE_LIMITED') return t`Too many attempts. Try again ${retryTime(error)}.`
  if (error.code === 'INTERNAL') return t`Server error. Try again.`
  if (Array.isArray(error.details) && error.details[0]) {
    const { path, message } = error.details[0]
    const rule = LOCALE === 'en' ? undefined : localizeRule(message)
    return rule ?? `${fieldLabel(path)} ${message}.`
  }
  return error.message
}

function retryTime({ retryAfterSeconds: seconds }: ApiFailure): string {
  if (!seconds) return t`in a minute`
  if (seconds < 90) return t`in ${Math.ceil(seconds)} seconds`
  return t`in ${Math.ceil(seconds / 60)} minutes`
}

const LABELS: Record<string, string> = {
  defaultProjectVisibility: t`Visibility`,
  events: t`Event types`,
  expiresAt: t`Expires`,
  gracePeriodSeconds: t`Grace period`,
  maxUses: t`Maximum uses`,
  metadata: t`Details`,
  organizationName: t`Organization`,
  outputSchema: t`Result`,
  ownerId: t`Owner`,
  parentId: t`Folder`,
  projectId: t`Project`,
  prompt: t`Instructions`,
  token: t`Link`,
  url: t`Endpoint URL`,
  userId: t`Member`,
  workspaceId: t`Workspace`,
  workspaceName: t`Workspace`,
}

/** For a path such as `body.tags.2`, without list positions. */
export function fieldLabel(path: string): string {
  const names = path.split('.').filter((part) => !/^\d+$/.test(part))
  const name = names.at(-1) ?? path
  return (
    LABELS[name] ??
    capitalize(
      name
        .replaceAll('_', ' ')
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .toLowerCase(),
    )
  )
}
