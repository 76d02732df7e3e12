import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { LOCALE, t } from '../../../contract/text.ts'
import { type Embedder, embedderQuery } from '../../api/embeddings.ts'
import { failureMessage, fieldMessage } from '../../api/explain.ts'
import type { Model } from '../../api/models.ts'
import { organizationApi, orgSettingsQuery } from '../../api/organizations.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { FormFailure } from '../../components/failure.tsx'
import { TextField } from '../../components/forms/field.tsx'
import { Section } from '../../components/section.tsx'
import { toast } from '../../components/toast.tsx'

/** The model that finds passages by meaning. */
export function EmbeddingsSettings({ models }: { models: readonly Model[] }) {
  const settings = useQuery(orgSettingsQuery).data
  const embedder = useQuery(embedderQuery).data
  // Test models embed nothing.
  if (!settings || (!embedder?.model && models.every(({ isTest }) => isTest))) return null
  return (
    <Section
      title="Embeddings"
      lead="With an embedding model, agents also find passages that say the same in other words. The provider gets the text of all passages."
    >
      <EmbeddingsForm key={settings.embeddings.model} saved={settings.embeddings.model} models={models} />
    </Section>
  )
}

function EmbeddingsForm({ saved, models }: { saved: string | null; models: readonly Model[] }) {
  const { role } = useSession()
  const queryClient = useQueryClient()
  const embedder = useQuery(embedderQuery).data
  const [typed, setTyped] = useState(saved ?? '')
  const model = typed.trim() || null
  const refresh = () => queryClient.invalidateQueries({ queryKey: embedderQuery.queryKey })
  const save = useMutation({
    mutationFn: () => organizationApi.orgSettings.update({ embeddings: { model } }),
    onSuccess: (changed) => {
      queryClient.setQueryData(orgSettingsQuery.queryKey, changed)
      void refresh()
      toast(t`Embedding model saved`)
    },
  })
  const test = useMutation({
    mutationFn: () => organizationApi.embeddings.test(model === null ? {} : { model }),
    onSuccess: () => void refresh(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  const canEdit = role !== 'member'
  const fieldError = fieldMessage(save.error, 'embeddings.model')
  const serverModel = embedder?.source === 'server' ? embedder.model : null
  return (
    <form onSubmit={submit} className="flex flex-col gap-16">
      <datalist id={MODEL_LIST}>
        {models.filter(isEmbeddingModel).map(({ id }) => (
          <option key={id} value={id} />
        ))}
      </datalist>
      <TextField
        label="Embedding model"
        list={MODEL_LIST}
        placeholder={serverModel ?? t`None`}
        value={typed}
        hint="For example, openai/text-embedding-3-small"
        error={fieldError}
        disabled={!canEdit}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => {
          setTyped(target.value)
          test.reset()
        }}
      />
      {embedder && <Progress embedder={embedder} />}
      {canEdit ? (
        <div className="flex flex-col items-start gap-8">
          <FormFailure>
            {fieldError ? undefined : (failureMessage(save.error) ?? failureMessage(test.error))}
          </FormFailure>
          <div className="flex gap-8">
            <Button type="submit" busy={save.isPending}>
              Save
            </Button>
            <Button
              onClick={() => test.mutate()}
              busy={test.isPending}
              disabled={model === null && !embedder?.model}
            >
              Test
            </Button>
          </div>
          {test.data && <TestResult result={test.data} />}
        </div>
      ) : (
        <p className="text-12 text-neutral-11">Admins can change it.</p>
      )}
    </form>
  )
}

const MODEL_LIST = 'embedding-models'

type TestResponse = Awaited<ReturnType<typeof organizationApi.embeddings.test>>

function TestResult({ result: { ok, problem, dimensions, durationMs } }: { result: TestResponse }) {
  return (
    <p role="status" className="text-13 text-neutral-11">
      {ok ? (
        <>
          It responded in {durationMs.toLocaleString(LOCALE)} ms with{' '}
          {(dimensions ?? 0).toLocaleString(LOCALE)} dimensions.
        </>
      ) : (
        <bdi>{problem}</bdi>
      )}
    </p>
  )
}

function Progress({ embedder: { state, problem, serving, model, progress } }: { embedder: Embedder }) {
  const hasText = problem !== null || progress !== null || (serving !== null && serving !== model)
  if (state === 'off' || !hasText) return null
  return (
    <div role="status" className="flex flex-col gap-4 text-13 text-neutral-11">
      {problem !== null && <bdi>{problem}</bdi>}
      {progress && (
        <p className="tabular-nums">
          {progress.passages === 0 ? (
            t`There are no passages to embed yet.`
          ) : (
            <>
              Embedded {progress.embedded.toLocaleString(LOCALE)} of{' '}
              {progress.passages.toLocaleString(LOCALE)} passages
            </>
          )}
        </p>
      )}
      {serving !== null && serving !== model && (
        <p>
          Until all are embedded, <bdi>{serving}</bdi> is used.
        </p>
      )}
    </div>
  )
}

const isEmbeddingModel = ({ id }: Model) => /embed|bge|e5-|minilm|gte-/i.test(id)
