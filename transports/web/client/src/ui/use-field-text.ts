import { useState } from 'react';

/** The text of a field that begins as a value of the address, and follows it: the back button changes it too. */
export function useFieldText(value: string): readonly [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(value);
  const [followed, setFollowed] = useState(value);
  if (value !== followed) {
    setFollowed(value);
    setText(value);
  }
  return [text, setText];
}
