import { hueOf } from '../components/faces.tsx'
import { type Participant, TONES, type Tone } from './presence.ts'

/** The hue of the user's face, the same on every screen. */
export const toneOf = ({ userId, client }: Pick<Participant, 'userId' | 'client'>): Tone =>
  TONES[hueOf(userId ?? client) - 1]!

/** A guest has no user, only a browser tab. */
export const faceOf = ({ userId, client, name }: Pick<Participant, 'userId' | 'client' | 'name'>) => ({
  id: userId ?? client,
  name,
})

export const FILL: Record<Tone, string> = {
  'hue-1': 'bg-hue-1',
  'hue-2': 'bg-hue-2',
  'hue-3': 'bg-hue-3',
  'hue-4': 'bg-hue-4',
  'hue-5': 'bg-hue-5',
  'hue-6': 'bg-hue-6',
  'hue-7': 'bg-hue-7',
  'hue-8': 'bg-hue-8',
}
