import { t } from '../../../../../contract/text.ts'
import type { ApiDocument, NewCustomConnector } from '../../../../api/connections.ts'
import { TextField } from '../../../../components/forms/field.tsx'
import { Select } from '../../../../components/forms/select.tsx'

type Auth = NewCustomConnector['auth']

export interface AuthDraft {
  /** `document` uses the document's own authorization. */
  kind: 'document' | 'bearer' | 'header' | 'basic' | 'none'
  header: string
}

type DocumentAuth = Pick<ApiDocument, 'auth' | 'authProblem'>

const definesAuth = ({ auth }: DocumentAuth) => auth !== null && auth.type !== 'none'

export const initialAuth = (documentAuth: DocumentAuth): AuthDraft => ({
  kind: definesAuth(documentAuth) ? 'document' : documentAuth.authProblem ? 'bearer' : 'none',
  header: 'x-api-key',
})

const KINDS: Record<AuthDraft['kind'], string> = {
  document: t`As defined in the document`,
  bearer: t`A token in the Authorization header`,
  header: t`A key in another header`,
  basic: t`User name and password`,
  none: t`None: the API is public`,
}

const TOKEN = { key: 'token', label: t`API key`, required: true, secret: true }

/** Undefined: as defined in the document. */
export function toAuth({ kind, header }: AuthDraft): Auth | undefined {
  switch (kind) {
    case 'document':
      return undefined
    case 'none':
      return { type: 'none' }
    case 'bearer':
      return {
        type: 'api_key',
        fields: [TOKEN],
        send: { header: 'authorization', value: 'Bearer {credentials.token}' },
      }
    case 'header':
      return { type: 'api_key', fields: [TOKEN], send: { header, value: '{credentials.token}' } }
    case 'basic':
      return {
        type: 'api_key',
        fields: [
          { key: 'user', label: t`User name`, required: true, secret: false },
          { key: 'password', label: t`Password`, required: true, secret: true },
        ],
        send: { basic: { user: '{credentials.user}', password: '{credentials.password}' } },
      }
  }
}

interface ImportAuthProps {
  documentAuth: DocumentAuth
  draft: AuthDraft
  onChange: (draft: AuthDraft) => void
}

/** Can't change after the import. */
export function ImportAuth({ documentAuth, draft, onChange }: ImportAuthProps) {
  const kinds = Object.entries(KINDS).filter(([kind]) => kind !== 'document' || definesAuth(documentAuth))
  return (
    <div className="grid gap-16 @wide:grid-cols-2">
      <Select
        label="Authorization"
        hint={t`${hintOf(documentAuth, draft)} You can’t change this after importing.`}
        value={draft.kind}
        onChange={(event) => onChange({ ...draft, kind: event.target.value as AuthDraft['kind'] })}
      >
        {kinds.map(([kind, label]) => (
          <option key={kind} value={kind}>
            {label}
          </option>
        ))}
      </Select>
      {draft.kind === 'header' && (
        <TextField
          label="Header name"
          required
          autoComplete="off"
          spellCheck={false}
          value={draft.header}
          onChange={(event) => onChange({ ...draft, header: event.target.value })}
        />
      )}
    </div>
  )
}

function hintOf({ auth, authProblem }: DocumentAuth, { kind }: AuthDraft): string {
  if (authProblem) return `${authProblem}.`
  if (auth === null || auth.type === 'none') return t`The document doesn’t say how requests are authorized.`
  if (kind !== 'document') return t`The document defines a different method.`
  if (auth.type === 'oauth') return t`OAuth: add the client under OAuth clients.`
  return t`Members enter a key when they connect.`
}
