import { localStore } from './store.ts'

/** Stored per user: several can share a browser. */
export const feedbackDraft = (userId: string) => {
  const key = `atrium.feedback-draft.${userId}`
  return {
    read: () => localStore.read(key) ?? '',
    write: (text: string) => localStore.write(key, text || null),
  }
}
