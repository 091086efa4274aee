// Starts `minipaddle dap`, with the Python that the configuration names, for each debug session of type "minipaddle".
const vscode = require("vscode");

exports.activate = (context) => {
  const factory = {
    createDebugAdapterDescriptor: (session) =>
      new vscode.DebugAdapterExecutable(session.configuration.python || "python", ["-m", "minipaddle", "dap"]),
  };
  context.subscriptions.push(vscode.debug.registerDebugAdapterDescriptorFactory("minipaddle", factory));
};
