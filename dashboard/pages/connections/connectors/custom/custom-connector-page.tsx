import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import {
  type CustomConnector,
  connectionApi,
  customConnectorQuery,
  type NewCustomConnector,
  refreshCustomConnectors,
} from '../../../../api/connections.ts'
import { failureMessage } from '../../../../api/explain.ts'
import { Button } from '../../../../components/button.tsx'
import { DeleteDialog } from '../../../../components/dialogs/confirm-dialog.tsx'
import { Failure, FormFailure } from '../../../../components/failure.tsx'
import { Breadcrumb } from '../../../../components/layout/breadcrumb.tsx'
import { withNames } from '../../../../components/name.tsx'
import { SkeletonRows } from '../../../../components/skeleton.tsx'
import { toast } from '../../../../components/toast.tsx'
import { Page } from '../../../../frame/page.tsx'
import { JsonEditor, jsonProblem, problemsIn } from './json-editor.tsx'

const BACK = <Breadcrumb to="/integrations/custom">Connectors</Breadcrumb>

export const NewCustomConnectorPage = () => <Editor />

export function CustomConnectorPage({ slug }: { slug: string }) {
  const connectorQuery = useQuery(customConnectorQuery(slug))
  if (connectorQuery.data) return <Editor key={connectorQuery.data.version} connector={connectorQuery.data} />
  return (
    <Page title="Custom app" breadcrumb={BACK}>
      {connectorQuery.isPending && <SkeletonRows />}
      {connectorQuery.error && (
        <Failure error={connectorQuery.error} onRetry={() => connectorQuery.refetch()} />
      )}
    </Page>
  )
}

/** Returns JSON without server-set fields. */
function settingsText(connector: CustomConnector): string {
  const {
    slug: _slug,
    version: _version,
    createdBy: _by,
    createdAt: _at,
    updatedAt: _on,
    ...settings
  } = connector
  return JSON.stringify(settings, null, 2)
}

function Editor({ connector }: { connector?: CustomConnector }) {
  const [text, setText] = useState(connector ? settingsText(connector) : EXAMPLE)
  const [isDeleting, setDeleting] = useState(false)
  const navigate = useNavigate()
  const leave = () => void navigate({ to: '/integrations/custom' })
  const save = useMutation({
    mutationFn: () => {
      const settings = JSON.parse(text) as NewCustomConnector
      return connector
        ? connectionApi.customConnectors.update(
            { ...settings, slug: connector.slug },
            { ifMatch: `"${connector.version}"` },
          )
        : connectionApi.customConnectors.create(settings)
    },
    onSuccess: async ({ name }) => {
      await refreshCustomConnectors()
      toast(withNames`Saved ${name}`)
      leave()
    },
  })
  const [wasTried, setTried] = useState(false)
  const jsonError = jsonProblem(text)
  const isExample = !connector && text.includes(EXAMPLE_HOST)
  const exampleError = wasTried && isExample ? t`Replace ${EXAMPLE_HOST} with your API’s host.` : undefined
  const failure = problemsIn(save.error).length > 0 ? undefined : failureMessage(save.error)
  return (
    <Page
      title={connector?.name ?? t`New custom app`}
      breadcrumb={BACK}
      action={
        connector && (
          <Button look="quiet" onClick={() => setDeleting(true)}>
            Delete
          </Button>
        )
      }
    >
      <form
        className="flex max-w-extra-wide flex-col gap-16 px-16 py-24 md:px-24"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (!jsonError && !isExample && !save.isPending) save.mutate()
        }}
      >
        <p className="max-w-reading text-13 text-neutral-11">
          In a path, <code className="font-mono">{'{name}'}</code> inserts an input value; in a query or body,
          use <code className="font-mono">{'{ "$": "name" }'}</code>.{' '}
          <code className="font-mono">{'{credentials.key}'}</code> is what members enter to connect.{' '}
          {connector && t`An app’s host and authorization can’t be changed.`}
        </p>
        <FormFailure>{jsonError ?? exampleError ?? failure}</FormFailure>
        <JsonEditor label="Definition" value={text} error={save.error} onChange={setText} />
        <div className="flex gap-8">
          <Button look="primary" type="submit" busy={save.isPending}>
            {connector ? t`Save` : t`Add app`}
          </Button>
          <Button look="quiet" onClick={leave}>
            Cancel
          </Button>
        </div>
      </form>
      {isDeleting && connector && (
        <DeleteDialog
          title="Delete custom app"
          name={connector.name}
          remove={() => connectionApi.customConnectors.remove({ slug: connector.slug })}
          refresh={async () => {
            await refreshCustomConnectors()
            leave()
          }}
          onClose={() => setDeleting(false)}
        >
          Connections to {connector.name} stop working. Agents lose its {connector.tools.length} tools.
        </DeleteDialog>
      )}
    </Page>
  )
}

const EXAMPLE_HOST = 'api.example.com'

const EXAMPLE = JSON.stringify(
  {
    name: t`Warehouse`,
    description: t`Find orders and change their state.`,
    category: 'operations',
    baseUrl: `https://${EXAMPLE_HOST}/v1`,
    auth: {
      type: 'api_key',
      fields: [{ key: 'token', label: t`API token`, hint: t`In the warehouse settings, under API.` }],
      send: { header: 'authorization', value: 'Bearer {credentials.token}' },
    },
    check: { request: { method: 'GET', path: '/me' }, account: { id: 'id', name: 'name' } },
    tools: [
      {
        name: 'find_order',
        description: t`Finds an order by its number.`,
        input: {
          type: 'object',
          properties: { number: { type: 'string', description: t`The order number` } },
          required: ['number'],
        },
        request: { method: 'GET', path: '/orders/{number}' },
      },
      {
        name: 'set_state',
        description: t`Changes an order’s state.`,
        input: {
          type: 'object',
          properties: { number: { type: 'string' }, state: { type: 'string', enum: ['packed', 'sent'] } },
          required: ['number', 'state'],
        },
        request: { method: 'PATCH', path: '/orders/{number}', json: { state: { $: 'state' } } },
      },
    ],
  },
  null,
  2,
)
