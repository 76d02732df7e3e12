import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../contract/text.ts'
import { failureMessage, fieldMessage } from '../../api/explain.ts'
import type { Model } from '../../api/models.ts'
import { organizationApi } from '../../api/organizations.ts'
import { Button } from '../../components/button.tsx'
import { FormDialog } from '../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../components/forms/field.tsx'
import { Select } from '../../components/forms/select.tsx'
import { withNames } from '../../components/name.tsx'
import { toast } from '../../components/toast.tsx'
import { modelSettingsQuery, refreshModels } from './models-queries.ts'

interface PriceDialogProps {
  model: Pick<Model, 'id'> & Partial<Pick<Model, 'pricing' | 'contextWindow'>>
  onClose: () => void
}

/** Applies to the whole organization. */
export function PriceDialog({ model, onClose }: PriceDialogProps) {
  const { pricing = null, contextWindow = null } = model
  const [input, setInput] = useState(textOf(pricing?.input))
  const [output, setOutput] = useState(textOf(pricing?.output))
  const [cached, setCached] = useState(textOf(pricing?.cacheRead))
  const [written, setWritten] = useState(textOf(pricing?.cacheWrite))
  const [tokens, setTokens] = useState(textOf(contextWindow))
  const [images, setImages] = useState<ImageChoice>()
  const set = useQuery(modelSettingsQuery).data?.items.find((each) => each.model === model.id)
  const [problem, setProblem] = useState<{ field: Field; message: string }>()
  const save = useMutation({
    mutationFn: (settings: Settings) =>
      organizationApi.modelSettings.put({ models: [model.id], ...settings }),
    onSuccess: () => {
      void refreshModels()
      toast(withNames`Saved settings for ${model.id}`)
      onClose()
    },
  })
  const submit = () => {
    const read = readSettings({ input, output, cached, written, tokens })
    if ('message' in read) setProblem(read)
    else save.mutate({ ...read, ...(images !== undefined && { acceptsImages: ACCEPTED[images] }) })
  }
  const errorOf = (field: Field) =>
    problem?.field === field ? problem.message : fieldMessage(save.error, field)
  const number = { inputMode: 'decimal' as const, autoComplete: 'off', placeholder: t`Unknown` }
  return (
    <FormDialog
      title={withNames`Pricing for ${model.id}`}
      lead="US dollars per million tokens, for this organization only. Applies from the next model call."
      action="Save"
      failure={FIELDS.some(errorOf) ? undefined : failureMessage(save.error)}
      busy={save.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="grid grid-cols-2 gap-16">
        <TextField
          {...number}
          label="Input"
          value={input}
          error={errorOf('pricing.input')}
          onChange={(event) => setInput(event.target.value)}
        />
        <TextField
          {...number}
          label="Output"
          value={output}
          error={errorOf('pricing.output')}
          onChange={(event) => setOutput(event.target.value)}
        />
        <TextField
          {...number}
          label="Cached input"
          placeholder="Same as input"
          value={cached}
          error={errorOf('pricing.cacheRead')}
          onChange={(event) => setCached(event.target.value)}
        />
        <TextField
          {...number}
          label="Cache writes"
          placeholder="Same as input"
          value={written}
          error={errorOf('pricing.cacheWrite')}
          onChange={(event) => setWritten(event.target.value)}
        />
      </div>
      <div className="flex flex-wrap gap-8">
        <Button
          size="small"
          onClick={() => {
            setInput('0')
            setOutput('0')
            setCached('')
            setWritten('')
          }}
        >
          Count as free
        </Button>
        {set && (
          <Button
            look="quiet"
            size="small"
            onClick={() => save.mutate({ pricing: null, contextWindow: null, acceptsImages: null })}
          >
            Reset to defaults
          </Button>
        )}
      </div>
      <TextField
        {...number}
        label="Context window"
        hint="In tokens. Longer conversations are summarized first."
        value={tokens}
        error={errorOf('contextWindow')}
        onChange={(event) => setTokens(event.target.value)}
      />
      <Select
        label="Images"
        hint="Change it if the provider’s list is wrong or doesn’t say."
        value={images ?? choiceFor(set?.acceptsImages ?? null)}
        onChange={(event) => setImages(event.target.value as ImageChoice)}
      >
        <option value="listed">As listed</option>
        <option value="accepted">Supported</option>
        <option value="refused">Not supported</option>
      </Select>
    </FormDialog>
  )
}

type ImageChoice = keyof typeof ACCEPTED
const ACCEPTED = { listed: null, accepted: true, refused: false }

function choiceFor(acceptsImages: boolean | null): ImageChoice {
  if (acceptsImages === null) return 'listed'
  return acceptsImages ? 'accepted' : 'refused'
}

type Settings = Omit<Parameters<typeof organizationApi.modelSettings.put>[0], 'models'>
const FIELDS = [
  'pricing.input',
  'pricing.output',
  'pricing.cacheRead',
  'pricing.cacheWrite',
  'contextWindow',
] as const
type Field = (typeof FIELDS)[number]

const textOf = (value: number | null | undefined) => value?.toString() ?? ''

/** Returns the numbers, or the field that isn't one. Empty prices keep the default. */
function readSettings(typed: Record<'input' | 'output' | 'cached' | 'written' | 'tokens', string>) {
  const fail = (field: Field, message: string) => ({ field, message })
  const [input, output, cacheRead, cacheWrite, contextWindow] = [
    typed.input,
    typed.output,
    typed.cached,
    typed.written,
    typed.tokens.replace(/[\s,._](?=\d{3}\b)/g, ''),
  ].map((text) => (text.trim() === '' ? null : Number(text.trim())))
  if (Number.isNaN(input)) return fail('pricing.input', t`Enter a number, such as 1.25`)
  if (Number.isNaN(output)) return fail('pricing.output', t`Enter a number, such as 10`)
  if (Number.isNaN(cacheRead)) return fail('pricing.cacheRead', t`Enter a number, or leave it empty`)
  if (Number.isNaN(cacheWrite)) return fail('pricing.cacheWrite', t`Enter a number, or leave it empty`)
  if (Number.isNaN(contextWindow)) return fail('contextWindow', t`Enter a token count, such as 128000`)
  if (input === null && output !== null) return fail('pricing.input', t`Enter the input price too`)
  if (output === null && input !== null) return fail('pricing.output', t`Enter the output price too`)
  const pricing =
    typeof input === 'number' && typeof output === 'number'
      ? { input, output, cacheRead: cacheRead ?? null, cacheWrite: cacheWrite ?? null }
      : null
  return { pricing, contextWindow: contextWindow ?? null }
}
