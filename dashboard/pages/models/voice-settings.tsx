import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { USUAL_VOICE } from '../../../contract/agents/voice-options.ts'
import { t } from '../../../contract/text.ts'
import { failureMessage, fieldMessage } from '../../api/explain.ts'
import type { Model } from '../../api/models.ts'
import { type OrgSettings, organizationApi, orgSettingsQuery } from '../../api/organizations.ts'
import { useSession } from '../../api/session.ts'
import { voiceQuery } from '../../api/voice.ts'
import { Button } from '../../components/button.tsx'
import { FormFailure } from '../../components/failure.tsx'
import { TextField } from '../../components/forms/field.tsx'
import { Section } from '../../components/section.tsx'
import { toast } from '../../components/toast.tsx'

type VoiceChoice = OrgSettings['voice']

/** Models that transcribe and speak. */
export function VoiceSettings({ models }: { models: readonly Model[] }) {
  const settings = useQuery(orgSettingsQuery).data
  if (!settings) return null
  return (
    <div id="voice" ref={reveal} className="border-neutral-6 border-b">
      <Section
        title="Voice"
        lead="Members dictate messages, have answers read aloud and talk to agents. Needs a provider with OpenAI’s audio API."
      >
        <VoiceForm key={JSON.stringify(settings.voice)} saved={settings.voice} models={models} />
      </Section>
    </div>
  )
}

/** A link can lead here before the list above has loaded. */
const reveal = (element: HTMLElement | null) => {
  if (location.hash === '#voice') element?.scrollIntoView()
}

function VoiceForm({ saved, models }: { saved: VoiceChoice; models: readonly Model[] }) {
  const { role } = useSession()
  const queryClient = useQueryClient()
  const usual = useQuery(voiceQuery).data
  const [typed, setTyped] = useState(saved)
  const save = useMutation({
    mutationFn: () => organizationApi.orgSettings.update({ voice: typed }),
    onSuccess: (changed) => {
      queryClient.setQueryData(orgSettingsQuery.queryKey, changed)
      void queryClient.invalidateQueries({ queryKey: voiceQuery.queryKey })
      toast(t`Voice settings saved`)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  const canEdit = role !== 'member'
  const names = ['transcription', 'speech', 'voiceName'] as const
  const field = (name: (typeof names)[number]) => ({
    value: typed[name] ?? '',
    error: fieldMessage(save.error, `voice.${name}`),
    disabled: !canEdit,
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { target: { value: string } }) =>
      setTyped({ ...typed, [name]: event.target.value.trim() || null }),
  })
  const hasFieldError = names.some((name) => fieldMessage(save.error, `voice.${name}`))
  const modelList = 'voice-models'
  return (
    <form onSubmit={submit} className="flex flex-col gap-16">
      <datalist id={modelList}>
        {models.filter(isAudioModel).map(({ id }) => (
          <option key={id} value={id} />
        ))}
      </datalist>
      <TextField
        {...field('transcription')}
        label="Model that transcribes"
        list={modelList}
        placeholder={usual?.transcription.model ?? t`None`}
        hint="For example, openai/whisper-1"
      />
      <TextField
        {...field('speech')}
        label="Model that reads aloud"
        list={modelList}
        placeholder={usual?.speech.model ?? t`None`}
        hint="For example, openai/gpt-4o-mini-tts"
      />
      <TextField {...field('voiceName')} label="Voice" placeholder={USUAL_VOICE.voiceName} />
      {canEdit ? (
        <div className="flex flex-col items-start gap-8">
          <FormFailure>{hasFieldError ? undefined : failureMessage(save.error)}</FormFailure>
          <Button type="submit" busy={save.isPending}>
            Save
          </Button>
        </div>
      ) : (
        <p className="text-12 text-neutral-11">Admins can change it.</p>
      )}
    </form>
  )
}

const isAudioModel = ({ id }: Model) => /whisper|transcri|tts|speech|voxtral|kokoro|parakeet/i.test(id)
