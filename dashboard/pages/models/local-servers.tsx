import { useMutation, useQuery } from '@tanstack/react-query'
import { counted } from '../../../contract/counted.ts'
import { textWithNames } from '../../../contract/text-with-names.ts'
import { Button } from '../../components/button.tsx'
import { Name, withNames } from '../../components/name.tsx'
import { toast, toastFailure } from '../../components/toast.tsx'
import { connectProvider, type LocalServer, localServersQuery } from './models-queries.ts'
import { ProviderMark } from './provider-mark.tsx'

/** Model servers that run on the server's machine, each connected with one click. */
export function LocalServers({ onConnected }: { onConnected?: () => void }) {
  const { data } = useQuery(localServersQuery)
  const found = data?.items.filter(({ connected, models }) => !connected && models.length > 0) ?? []
  if (found.length === 0) return null
  return (
    <section aria-labelledby="local-servers" className="flex flex-col gap-8">
      <h3 id="local-servers" className="font-medium text-13">
        Found on this server
      </h3>
      <ul className="flex flex-col gap-8">
        {found.map((server) => (
          <Server key={server.id} server={server} onConnected={onConnected} />
        ))}
      </ul>
    </section>
  )
}

function Server({ server, onConnected }: { server: LocalServer; onConnected: (() => void) | undefined }) {
  const { id, name, url, models } = server
  const connect = useMutation({
    mutationFn: () =>
      connectProvider({ kind: 'openai-compatible', name, slug: id, url }, { defaultModel: models[0]! }),
    onSuccess: () => {
      toast(withNames`Connected ${name}`)
      onConnected?.()
    },
    onError: toastFailure,
  })
  return (
    <li className="flex items-center gap-12 rounded-panel bg-inset px-12 py-8">
      <ProviderMark id={id} name={name} />
      <div className="min-w-0 flex-1">
        <div className="font-medium text-13">{name}</div>
        <div className="truncate text-12 text-neutral-11">
          {counted(models.length, 'model')}: <Name>{models.join(', ')}</Name>
        </div>
      </div>
      <Button
        busy={connect.isPending}
        aria-label={textWithNames`Connect ${name}`}
        onClick={() => connect.mutate()}
      >
        Connect
      </Button>
    </li>
  )
}
