import type { DescribedTool } from '../../api/tool-table.js';
import { useDescribedAction } from '../../api/use-described.js';
import { fieldsOf } from '../../form/fields.js';
import { ToolForm } from '../../form/tool-form.js';
import { keepLateFailure } from '../../shell/late-results.js';
import { Confirm } from '../../ui/confirm.js';
import { Icon } from '../../ui/icon.js';
import { Modal } from '../../ui/modal.js';

type Input = Readonly<Record<string, unknown>>;

/** An action of a row, as it was when its button was pressed. */
export interface OpenAction {
  readonly tool: DescribedTool;
  /** Of the button. */
  readonly label: string;
  /** The label, and what the action is on. */
  readonly title: string;
  /** What the fields hold at first. */
  readonly row: Input;
  /** Arguments that the row and the page supply. */
  readonly supplied: Input;
  /** Who gives back what a person gives up by it; undefined where it is not on the own rights. */
  readonly restorer: string | undefined;
}

/** Asks for the arguments that a row does not supply, or whether to call at all where it supplies them. */
export function ActionDialog({
  action: { tool, label, title, row, supplied, restorer },
  onDone,
  onClose,
}: {
  readonly action: OpenAction;
  readonly onDone: (tool: DescribedTool, result: unknown) => void;
  readonly onClose: () => void;
}) {
  const call = useDescribedAction(tool);
  const warning = restorer !== undefined && (
    <p className="notice">
      <Icon name="alert" /> These are your own rights. What you give up, only {restorer} can give back to you.
    </p>
  );
  if (fieldsOf(tool.input, new Set(Object.keys(supplied))).length > 0)
    return (
      <Modal className="dialog" label={title} isForm onClose={onClose}>
        <h2>{title}</h2>
        <p className="muted">{tool.description}</p>
        {warning}
        <ToolForm
          tool={tool}
          label={label}
          supplied={supplied}
          initial={row}
          onDone={(result) => onDone(tool, result)}
          onClose={onClose}
        />
      </Modal>
    );
  const run = () =>
    call.run(
      supplied,
      ({ result }, isShown) => {
        if (isShown) onClose();
        onDone(tool, result);
      },
      (error, isShown) => {
        if (!isShown) keepLateFailure(title, error);
      },
    );
  return (
    <Confirm
      title={title}
      label={label}
      isPending={call.isPending}
      error={call.error}
      onConfirm={run}
      onClose={onClose}
    >
      <p>{tool.description}</p>
      {warning}
    </Confirm>
  );
}
