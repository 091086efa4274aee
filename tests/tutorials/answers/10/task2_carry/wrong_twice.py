# hint: `network` was called more than once: a Program is written once.
import paddle


def by_program(network, x, w):
    paddle.enable_static()
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup):
        fed = paddle.static.data("x", x.shape, str(x.dtype))
        fed.stop_gradient = False
        start = paddle.nn.initializer.Assign(w)
        parameter = paddle.static.create_parameter(w.shape, str(w.dtype), "w", default_initializer=start)
        network(fed, parameter)
        loss = network(fed, parameter)
        paddle.static.append_backward(loss)
    executor = paddle.static.Executor()
    executor.run(startup)
    return executor.run(main, feed={"x": x}, fetch_list=[loss, "w@GRAD"])
