/** Outlines on a 24 x 24 grid. */
const PATHS = {
  home: 'M4 11 12 4l8 7v8a1 1 0 0 1-1 1h-5v-6h-4v6H5a1 1 0 0 1-1-1Z',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Zm4.7-1.8L20 20',
  files: 'M3.5 7a2 2 0 0 1 2-2h4l2 2.5h7a2 2 0 0 1 2 2V17a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2Z',
  file: 'M6 4h8l4 4v12H6Zm8 0v4h4',
  explorer:
    'M5 5h14a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1Zm2.5 4.5L10 12l-2.5 2.5M12.5 15h4',
  memory:
    'M12 4c4.4 0 8 1.3 8 3v10c0 1.7-3.6 3-8 3s-8-1.3-8-3V7c0-1.7 3.6-3 8-3Zm-8 3c0 1.7 3.6 3 8 3s8-1.3 8-3M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3',
  graph:
    'M6.5 8.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm0 11a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm11-5.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM8.4 7.4l7.2 3.7m-7.2 5.5 7.2-3.7',
  activity: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM12 7v5l3.5 2',
  pause: 'M9 6v12M15 6v12',
  play: 'm8 5 11 7-11 7Z',
  list: 'M8.5 7H20M8.5 12H20M8.5 17H20M4 7h.1M4 12h.1M4 17h.1',
  plus: 'M12 5v14M5 12h14',
  health: 'M3.5 12h4l2.5-6 4 12 2.5-6h4',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm0-13v2m0 14v2m9-9h-2M5 12H3m15.4-6.4L17 7M7 17l-1.4 1.4m12.8 0L17 17M7 7 5.6 5.6',
  moon: 'M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5Z',
  system: 'M4 5h16v11H4Zm5 15h6m-3-4v4',
  copy: 'M9 9h10v11H9ZM5 15V4h10',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  close: 'm6 6 12 12M18 6 6 18',
  right: 'm9 6 6 6-6 6',
  menu: 'M4 7h16M4 12h16M4 17h16',
  again: 'M19 12a7 7 0 1 1-2.2-5.1L19 9m0-5v5h-5',
  key: 'M14 14a4.5 4.5 0 1 0-4-2.5L4 17.5V20h3v-2h2v-2h1.5l1.5-2',
  alert: 'M12 9v4.5m0 3v.1M12 4 2.8 19.5h18.4Z',
  application:
    'M4 5.5a1.5 1.5 0 0 1 1.5-1.5h4v5.5H4Zm10.5-1.5h4A1.5 1.5 0 0 1 20 5.5v4h-5.5ZM4 14.5h5.5V20h-4A1.5 1.5 0 0 1 4 18.5Zm13.3-1v7M13.8 17h7',
  folder: 'M3.5 7a2 2 0 0 1 2-2h4l2 2.5h7a2 2 0 0 1 2 2V17a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2ZM3.5 11h17',
  log: 'M6 3.5h12v17H6Zm3 5h6m-6 4h6m-6 4h3.5',
  login: 'M13 4h5a1.5 1.5 0 0 1 1.5 1.5v13A1.5 1.5 0 0 1 18 20h-5M4 12h10.5m-4-4 4 4-4 4',
  mail: 'M3.5 6h17v12h-17Zm0 .5 8.5 7 8.5-7',
  people:
    'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 19c.7-3.2 3.2-4.8 6.5-4.8s5.8 1.6 6.5 4.8M16 4.8a3.5 3.5 0 0 1 0 6.5m2.2 3.3c1.8.7 2.9 2.2 3.3 4.4',
  star: 'm12 4 2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8Z',
  workspace: 'm12 4 8.5 4.5L12 13 3.5 8.5Zm-8.5 8.5L12 17l8.5-4.5M3.5 16 12 20.5l8.5-4.5',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7.5 8c.8-3.6 3.8-5.5 7.5-5.5s6.7 1.9 7.5 5.5',
} as const;

export type IconName = keyof typeof PATHS;

/** A picture beside its text: screen readers pass over it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The mark of the service. */
export function Mark() {
  return <img src="./icon.svg" width="28" height="28" alt="" />;
}
