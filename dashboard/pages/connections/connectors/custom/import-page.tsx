import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import {
  type ApiDocument,
  connectionApi,
  type Operation,
  refreshCustomConnectors,
} from '../../../../api/connections.ts'
import { failureMessage } from '../../../../api/explain.ts'
import { Button } from '../../../../components/button.tsx'
import { FormFailure } from '../../../../components/failure.tsx'
import { CONTROL, TextArea, TextField } from '../../../../components/forms/field.tsx'
import { NamedChoice } from '../../../../components/forms/named-choice.tsx'
import { Breadcrumb } from '../../../../components/layout/breadcrumb.tsx'
import { withNames } from '../../../../components/name.tsx'
import { toast } from '../../../../components/toast.tsx'
import { Page } from '../../../../frame/page.tsx'
import { ImportAuth, initialAuth, toAuth } from './import-auth.tsx'

const BACK = <Breadcrumb to="/integrations/custom">Connectors</Breadcrumb>

export function ImportConnectorPage() {
  const [url, setUrl] = useState('')
  const [document, setDocument] = useState('')
  const source = () => (document.trim() ? { document } : { url: url.trim() })
  const read = useMutation({ mutationFn: () => connectionApi.customConnectors.readOpenapi(source()) })
  return (
    <Page title="Import OpenAPI document" breadcrumb={BACK}>
      <form
        className="flex max-w-reading flex-col gap-16 px-16 py-24 md:px-24"
        onSubmit={(event) => {
          event.preventDefault()
          if (!read.isPending) read.mutate()
        }}
      >
        <FormFailure>{failureMessage(read.error)}</FormFailure>
        <TextField
          label="Document URL"
          type="url"
          placeholder="https://api.example.com/openapi.json"
          required={!document.trim()}
          disabled={document.trim() !== ''}
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <TextArea
          label="Or paste the document"
          hint="OpenAPI 3.0 or 3.1 as JSON or YAML, at most 2 MB."
          rows={6}
          spellCheck={false}
          className="font-mono sm:text-13!"
          value={document}
          onChange={(event) => setDocument(event.target.value)}
        />
        <div>
          <Button look={read.data ? 'plain' : 'primary'} type="submit" busy={read.isPending}>
            Read operations
          </Button>
        </div>
      </form>
      {read.data && <ImportForm key={read.submittedAt} apiDocument={read.data} source={source()} />}
    </Page>
  )
}

interface ImportFormProps {
  apiDocument: ApiDocument
  source: { document?: string; url?: string }
}

function ImportForm({ apiDocument, source }: ImportFormProps) {
  const [name, setName] = useState(apiDocument.title.slice(0, 60))
  const [baseUrl, setBaseUrl] = useState(apiDocument.baseUrl ?? '')
  const [operationIds, setOperationIds] = useState<string[]>([])
  const [auth, setAuth] = useState(() => initialAuth(apiDocument))
  const navigate = useNavigate()
  const add = useMutation({
    mutationFn: () =>
      connectionApi.customConnectors.importOpenapi({
        ...source,
        operations: operationIds,
        name: name.trim() || undefined,
        baseUrl: baseUrl.trim() || undefined,
        auth: toAuth(auth),
      }),
    onSuccess: async (connector) => {
      await refreshCustomConnectors()
      toast(withNames`Added ${connector.name}`)
      void navigate({ to: '/integrations/custom/$slug', params: { slug: connector.slug } })
    },
  })
  return (
    <form
      aria-label="Operations"
      className="flex max-w-extra-wide flex-col gap-16 border-neutral-6 border-t px-16 py-24 md:px-24"
      onSubmit={(event) => {
        event.preventDefault()
        if (!add.isPending) add.mutate()
      }}
    >
      <div className="grid gap-16 @wide:grid-cols-2">
        <TextField label="Name" required value={name} onChange={(event) => setName(event.target.value)} />
        <TextField
          label="Base URL"
          hint="All requests go to this host."
          required
          type="url"
          value={baseUrl}
          onChange={(event) => setBaseUrl(event.target.value)}
        />
      </div>
      <ImportAuth documentAuth={apiDocument} draft={auth} onChange={setAuth} />
      <OperationList
        operations={apiDocument.operations}
        selectedIds={operationIds}
        onChange={setOperationIds}
      />
      <FormFailure>{failureMessage(add.error)}</FormFailure>
      <div className="sticky bottom-0 -mb-24 flex items-center gap-12 border-neutral-6 border-t bg-page py-12">
        <Button look="primary" type="submit" busy={add.isPending} disabled={operationIds.length === 0}>
          {operationIds.length === 1 ? t`Add app with 1 tool` : t`Add app with ${operationIds.length} tools`}
        </Button>
      </div>
    </form>
  )
}

interface OperationListProps {
  operations: Operation[]
  selectedIds: string[]
  onChange: (selectedIds: string[]) => void
}

function OperationList({ operations, selectedIds, onChange }: OperationListProps) {
  const [searchText, setSearchText] = useState('')
  const query = searchText.trim().toLowerCase()
  const matches = operations.filter(({ id, summary }) => `${id} ${summary}`.toLowerCase().includes(query))
  const usableIds = matches.filter(({ problem }) => problem === null).map(({ id }) => id)
  const isAllChosen = usableIds.every((id) => selectedIds.includes(id))
  const toggle = (id: string, on: boolean) =>
    onChange(on ? [...selectedIds, id] : selectedIds.filter((other) => other !== id))
  return (
    <fieldset className="flex min-w-0 flex-col gap-8">
      <legend className="mb-8 font-strong">Operations</legend>
      <div className="flex flex-wrap items-center gap-8">
        <input
          type="search"
          aria-label="Search operations"
          placeholder="Search operations"
          value={searchText}
          onChange={(event) => setSearchText(event.target.value)}
          className={`h-32 max-w-filter ${CONTROL}`}
        />
        <Button
          look="quiet"
          onClick={() =>
            onChange(
              isAllChosen
                ? selectedIds.filter((id) => !usableIds.includes(id))
                : [...new Set([...selectedIds, ...usableIds])],
            )
          }
        >
          {isAllChosen ? t`Clear selection` : t`Select all ${usableIds.length}`}
        </Button>
      </div>
      <div className="max-h-nested-max overflow-y-auto rounded-control border border-neutral-6">
        {matches.map(({ id, summary, problem }) =>
          problem === null ? (
            <NamedChoice
              key={id}
              name={id}
              description={summary}
              checked={selectedIds.includes(id)}
              included={false}
              onToggle={(on) => toggle(id, on)}
              className="px-12 py-8"
            />
          ) : (
            <div key={id} className="px-12 py-8 pl-32 text-12 text-neutral-11">
              <code className="wrap-anywhere font-mono">{id}</code>
              <span className="block">Can’t be a tool: {problem}</span>
            </div>
          ),
        )}
        {matches.length === 0 && (
          <p className="px-12 py-8 text-13 text-neutral-11">No matching operations.</p>
        )}
      </div>
    </fieldset>
  )
}
